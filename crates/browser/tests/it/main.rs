//! Tests the executor in a real browser, on small pages that the tests serve themselves. All drivers run the same
//! suite.
//!
//! | What                                         | Shown by                                  | cdp |
//! |----------------------------------------------|-------------------------------------------|-----|
//! | click, hover, drag (mouse and HTML), scroll  | `actions::pointer…`, `actions::dragging…` | yes |
//! | input bound to its element, value compared   | `input`                                   | yes |
//! | fill, type, press, focus                     | `actions::filling…`, `actions::pointer…`  | yes |
//! | select (native and drawn), check, dates      | `actions::fields…`, `actions::a_list…`    | yes |
//! | upload (field, file chooser)                 | `actions::uploads…`                       | yes |
//! | download (limit, safe name, hash)            | `actions::downloads…`                     | yes |
//! | dialogs (reported, open until answered, answered by one action) | `actions::dialogs…`, `dialogs` | yes |
//! | tabs that pages open by themselves           | `popups`                                  | yes |
//! | tabs, popups                                 | `actions::tabs…`                          | yes |
//! | open, back, forward, reload, wait            | `actions::pages…`, `actions::waiting…`    | yes |
//! | save, read, dom, subdom                      | `actions::reading…`                       | yes |
//! | frames: same origin, same or other process   | `frames::a_frame…`                        | yes |
//! | shadow roots: open, closed by script         | `frames::open_and_closed…`                | yes |
//! | shadow roots: closed by markup               | `frames::shadow_roots_that_markup_…`      | yes |
//! | stale, covered, hidden, disabled, moving     | `actions::what_cannot…`, `targets…`       | yes |
//! | bodies that refuse, own changes of a page   | `evidence`                                | yes |
//! | settling                                     | `settling`                                | yes |
//! | work that a close waits for                  | `flush`                                   | yes |
//! | hang, crash, alert storm, kill -9            | `robust`                                  | yes |
//! | marks on pictures, a page's text              | `marks`                                   | yes |
//! | scripts, PDF, size of the view, cookies      | `by_hand`                                 | yes |
//! | open file chooser, whole-page pictures       | `by_hand`                                 | yes |
//! | secrets, address rules, storage              | `robust`                                  | yes |
//! | console and requests                         | `activity`                                | yes |
//! | the mouse at points, drops from outside       | `gestures`                                | yes |
//! | headers, bodies, routes, media, offline       | `wire`                                    | yes |
//! | entries of storages                          | `wire`                                    | yes |
//! | where an action's element was               | `boxes`                                   | yes |

#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests too, which the lint does not see")]

mod actions;
mod activity;
mod boxes;
mod by_hand;
mod components;
mod dialogs;
mod egress;
mod evidence;
mod flush;
mod frames;
mod gestures;
mod input;
mod marks;
mod popups;
mod robust;
mod settling;
mod support;
mod unreachable;
mod widgets;
mod wire;
