//! The state of one instance of the shop: sessions, orders, documents, notes. It is only in memory.

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

/// The data that changes while the site is used.
#[derive(Debug)]
pub(super) struct Books {
    pub(super) sessions: HashSet<String>,
    pub(super) orders: Vec<Order>,
    pub(super) next_order: u32,
    pub(super) documents: Vec<Document>,
    pub(super) notes: String,
    /// The column of the board for each job.
    pub(super) board: HashMap<String, String>,
    pub(super) company: Company,
}

/// The content of the settings form.
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

    /// Locks the data. The guard must not be held across an await.
    pub(super) fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock()
    }
}
