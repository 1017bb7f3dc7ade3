//! What one instance of the shop knows: who is signed in, its orders, its documents, its notes. In memory only.

use std::collections::{HashMap, HashSet};

use parking_lot::{Mutex, MutexGuard};

use super::{document::Document, ledger::Ledger, order::Order, templates::Templates};

/// One instance of the shop.
#[derive(Debug)]
pub(super) struct Site {
    /// The carrier's origin.
    pub(super) carrier: String,
    pub(super) ledger: Ledger,
    pub(super) templates: Templates,
    books: Mutex<Books>,
}

/// What changes while people work.
#[derive(Debug)]
pub(super) struct Books {
    pub(super) sessions: HashSet<String>,
    pub(super) orders: Vec<Order>,
    pub(super) next_order: u32,
    pub(super) documents: Vec<Document>,
    pub(super) notes: String,
    /// Which column of the board each job stands in.
    pub(super) board: HashMap<String, String>,
    pub(super) company: Company,
}

/// What the settings form keeps.
#[derive(Clone, Debug, serde::Serialize)]
pub(super) struct Company {
    pub(super) name: String,
    pub(super) time_zone: String,
    pub(super) newsletter: bool,
}

impl Site {
    pub(super) fn new(carrier: String) -> Site {
        let orders = Order::examples();
        let next_order = orders.iter().map(|o| o.number).max().unwrap_or(1000) + 1;
        Site {
            carrier,
            ledger: Ledger::default(),
            templates: Templates::load(),
            books: Mutex::new(Books {
                sessions: HashSet::new(),
                orders,
                next_order,
                documents: Vec::new(),
                notes: "Call the sailmaker about the genoa.".to_owned(),
                board: HashMap::new(),
                company: Company {
                    name: "Harbor Supplies".to_owned(),
                    time_zone: "Europe/Oslo".to_owned(),
                    newsletter: false,
                },
            }),
        }
    }

    /// The books, for as long as the guard lives; never held across an await.
    pub(super) fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock()
    }
}
