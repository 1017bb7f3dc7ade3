//! Tests the executor in a real browser, on small pages that the tests serve themselves. All drivers run the same
//! suite: `LEGWORK_TEST_ENGINE` names the engine. With `webdriver`, only some of the modules have been run.
//!
//! | What                                         | Shown by                                  | cdp | bidi | webdriver |
//! |----------------------------------------------|-------------------------------------------|-----|------|-----------|
//! | click, hover, drag (mouse and HTML), scroll  | `actions::pointer…`, `actions::dragging…` | yes | without HTML drags | without HTML drags |
//! | input bound to its element, value compared   | `input`                                   | yes | yes | not run yet |
//! | fill, type, press, focus                     | `actions::filling…`, `actions::pointer…`  | yes | yes | yes |
//! | select (native and drawn), check, dates      | `actions::fields…`, `actions::a_list…`    | yes | yes | yes |
//! | expand, collapse                            | `expand`                                  | yes | yes | not run yet |
//! | upload (field, file chooser)                 | `actions::uploads…`                       | yes | yes | yes |
//! | download (limit, safe name, hash)            | `actions::downloads…`                     | yes | yes | yes |
//! | dialogs (reported, open until answered, answered by one action) | `actions::dialogs…`, `dialogs` | yes | yes | but for questions before a page is left |
//! | tabs that pages open by themselves           | `popups`                                  | yes | yes | not run yet |
//! | tabs, popups                                 | `actions::tabs…`                          | yes | yes | yes |
//! | open, back, forward, reload, wait            | `actions::pages…`, `actions::waiting…`    | yes | yes | without the status of documents |
//! | save, read, dom, subdom                      | `actions::reading…`                       | yes | yes | yes |
//! | frames: same origin, same or other process   | `frames::a_frame…`                        | yes | yes | yes |
//! | shadow roots: open, closed by script         | `frames::open_and_closed…`                | yes | yes | only open ones |
//! | shadow roots: closed by markup               | `frames::shadow_roots_that_markup_…`      | yes | not in frames | no |
//! | stale, covered, hidden, disabled, moving     | `actions::what_cannot…`, `targets…`       | yes | yes | yes |
//! | bodies that refuse, own changes of a page   | `evidence`                                | yes | yes | not run yet |
//! | settling                                     | `settling`                                | yes | yes | not run yet |
//! | work that a close waits for                  | `flush`                                   | yes | without workers | not run yet |
//! | hang, crash, alert storm, kill -9            | `robust`                                  | yes | yes | not run yet |
//! | marks on pictures, a page's text              | `marks`                                   | yes | yes | not run yet |
//! | scripts, PDF, size of the view, cookies      | `by_hand`                                 | yes | yes | not run yet |
//! | open file chooser, whole-page pictures       | `by_hand`                                 | yes | yes | not run yet |
//! | secrets, address rules, storage              | `robust`                                  | yes | yes | not run yet |
//! | proxies of the user                           | `upstream_proxy`                          | yes | yes | not run yet |
//! | console and requests                         | `activity`                                | yes | but for the browser's own messages | not run yet |
//! | the mouse at points, drops from outside       | `gestures`                                | yes | without drops | not run yet |
//! | headers, bodies, routes, media, offline       | `wire`                                    | yes | without media | not run yet |
//! | control of a tab by a person                | `viewer_control`                          | yes | yes | not run yet |
//! | entries of storages                          | `wire`                                    | yes | yes | not run yet |
//! | code editors and rich-text editors           | `editors`                                 | not run yet | not run yet | not run yet |
//! | where an action's element was               | `boxes`                                   | yes | yes | not run yet |

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests too, which the lint does not see")]

mod actions;
mod activity;
mod boxes;
mod by_hand;
mod components;
mod dialogs;
mod editors;
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
