//! Tests the executor in a real browser, on small pages that the tests serve themselves. All drivers run the same
//! suite: `LEGWORK_TEST_ENGINE` names the engine.
//!
//! | What                                         | Shown by                                  | cdp | bidi |
//! |----------------------------------------------|-------------------------------------------|-----|------|
//! | click, hover, drag (mouse and HTML), scroll  | `actions::pointer…`, `actions::dragging…` | yes | without HTML drags |
//! | input bound to its element, value compared   | `input`                                   | yes | yes |
//! | fill, type, press, focus                     | `actions::filling…`, `actions::pointer…`  | yes | yes |
//! | select (native and drawn), check, dates      | `actions::fields…`, `actions::a_list…`    | yes | yes |
//! | expand, collapse                            | `expand`                                  | yes | yes |
//! | upload (field, file chooser)                 | `actions::uploads…`                       | yes | yes |
//! | download (limit, safe name, hash)            | `actions::downloads…`                     | yes | yes |
//! | dialogs (reported, open until answered, answered by one action) | `actions::dialogs…`, `dialogs` | yes | yes |
//! | tabs that pages open by themselves           | `popups`                                  | yes | yes |
//! | tabs, popups                                 | `actions::tabs…`                          | yes | yes |
//! | open, back, forward, reload, wait            | `actions::pages…`, `actions::waiting…`    | yes | yes |
//! | save, read, dom, subdom                      | `actions::reading…`                       | yes | yes |
//! | frames: same origin, same or other process   | `frames::a_frame…`                        | yes | yes |
//! | shadow roots: open, closed by script         | `frames::open_and_closed…`                | yes | yes |
//! | shadow roots: closed by markup               | `frames::shadow_roots_that_markup_…`      | yes | not in frames |
//! | stale, covered, hidden, disabled, moving     | `actions::what_cannot…`, `targets…`       | yes | yes |
//! | bodies that refuse, own changes of a page   | `evidence`                                | yes | yes |
//! | settling                                     | `settling`                                | yes | yes |
//! | work that a close waits for                  | `flush`                                   | yes | without workers |
//! | hang, crash, alert storm, kill -9            | `robust`                                  | yes | yes |
//! | marks on pictures, a page's text              | `marks`                                   | yes | yes |
//! | scripts, PDF, size of the view, cookies      | `by_hand`                                 | yes | yes |
//! | open file chooser, whole-page pictures       | `by_hand`                                 | yes | yes |
//! | secrets, address rules, storage              | `robust`                                  | yes | yes |
//! | proxies of the user                           | `upstream_proxy`                          | yes | yes |
//! | console and requests                         | `activity`                                | yes | but for the browser's own messages |
//! | the mouse at points, drops from outside       | `gestures`                                | yes | without drops |
//! | headers, bodies, routes, media, offline       | `wire`                                    | yes | without media |
//! | control of a tab by a person                | `viewer_control`                          | yes | yes |
//! | entries of storages                          | `wire`                                    | yes | yes |
//! | where an action's element was               | `boxes`                                   | yes | yes |

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests too, which the lint does not see")]

mod actions;
mod activity;
mod boxes;
mod by_hand;
mod components;
mod dialogs;
mod egress;
mod evidence;
mod expand;
mod flush;
mod frames;
mod gestures;
mod input;
mod marks;
mod one_of_several;
mod popups;
mod robust;
mod settling;
mod support;
mod unreachable;
mod upstream_proxy;
mod viewer_control;
mod widgets;
mod wire;
