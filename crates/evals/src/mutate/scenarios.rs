//! The applications and what is done on each: a page of a server, forms, equal buttons in rows and cards, a list that
//! is rendered again after each change, and three applications that were not written for this purpose.

use legwork::protocol::Step;
use legwork_testing::apps::DjangoAdmin;

/// Where the pages of a scenario come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Application {
    /// One page without a server.
    Page(&'static str),
    /// The demo site, new for each replay.
    DemoSite,
    /// Django's admin.
    Django,
    /// TiddlyWiki on its own server.
    TiddlyWiki,
}

/// A workflow of one step, which a model decided.
#[derive(Debug)]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) application: Application,
    /// The path at which it begins.
    pub(super) path: &'static str,
    pub(super) step: &'static str,
    /// The check that shows that it was done.
    pub(super) expect: &'static str,
    /// What the model commands, with the element of each command as an expression for `mutate.js`.
    pub(super) actions: &'static [(&'static str, &'static str)],
    /// The name and the value of the secret that it types.
    pub(super) secret: Option<(&'static str, &'static str)>,
    /// Whether the page works when its parts are moved to another place of the document.
    pub(super) movable: bool,
}

impl Scenario {
    pub(super) fn step(&self) -> Step {
        Step { expect: Some(self.expect.to_owned()), ..Step::new(self.step) }
    }

    /// Whether it needs an application of another project.
    pub(super) fn is_installed(&self) -> bool {
        matches!(self.application, Application::Django | Application::TiddlyWiki)
    }
}

/// All scenarios.
pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "orders",
        application: Application::Page(include_str!("pages/orders.html")),
        path: "/",
        step: "send the order of Globex on its way",
        expect: "\"Globex was shipped\" is shown",
        actions: &[("click button \"Ship\" in row \"Globex\"", "button('Ship', row('Globex'))")],
        secret: None,
        movable: true,
    },
    Scenario {
        name: "orders-two",
        application: Application::Page(include_str!("pages/orders.html")),
        path: "/",
        step: "stop the order of Initech, then send that of Stark",
        expect: "\"Stark was shipped\" is shown",
        actions: &[
            ("click button \"Cancel\" in row \"Initech\"", "button('Cancel', row('Initech'))"),
            ("click button \"Ship\" in row \"Stark\"", "button('Ship', row('Stark'))"),
        ],
        secret: None,
        movable: true,
    },
    // What a model names by its position is recorded as the element that the browser found there.
    Scenario {
        name: "orders-nth",
        application: Application::Page(include_str!("pages/orders.html")),
        path: "/",
        step: "send the order of Globex on its way",
        expect: "\"Globex was shipped\" is shown",
        actions: &[("click role=button[name='Ship'] >> nth=1", "button('Ship', row('Globex'))")],
        secret: None,
        movable: true,
    },
    Scenario {
        name: "orders-text-nth",
        application: Application::Page(include_str!("pages/orders.html")),
        path: "/",
        step: "stop the order of Initech",
        expect: "\"Initech was cancelled\" is shown",
        actions: &[("click text=Cancel >> nth=-3", "button('Cancel', row('Initech'))")],
        secret: None,
        movable: true,
    },
    Scenario {
        name: "orders-selector",
        application: Application::Page(include_str!("pages/orders.html")),
        path: "/",
        step: "stop the order of Initech, then send that of Stark",
        expect: "\"Stark was shipped\" is shown",
        actions: &[
            ("click xpath=(//button)[6]", "button('Cancel', row('Initech'))"),
            ("click css=\"tr:nth-of-type(4) button.ship\"", "button('Ship', row('Stark'))"),
        ],
        secret: None,
        movable: true,
    },
    Scenario {
        name: "settings",
        application: Application::Page(include_str!("pages/settings.html")),
        path: "/",
        step: "introduce me as Ada with the weekly digest in Deutsch",
        expect: "\"Settings saved: Ada, ada@example.org, Deutsch, on\" is shown",
        actions: &[
            ("fill \"Display name\" \"Ada\"", "field('Display name')"),
            ("fill \"E-mail\" \"ada@example.org\"", "field('E-mail')"),
            ("select \"Language\" \"Deutsch\"", "field('Language')"),
            ("check checkbox \"Weekly digest\"", "field('Weekly digest')"),
            ("click button \"Save settings\"", "button('Save settings')"),
        ],
        secret: None,
        movable: true,
    },
    Scenario {
        name: "shop",
        application: Application::Page(include_str!("pages/shop.html")),
        path: "/",
        step: "get two night lamps for Grace",
        expect: "\"Order placed for Grace: 2 × Night lamp\" is shown",
        actions: &[
            ("fill spinbutton \"Quantity\" in \"Night lamp\" \"2\"", "row('Night lamp').querySelector('input')"),
            ("click button \"Add to basket\" in \"Night lamp\"", "button('Add to basket', row('Night lamp'))"),
            ("click button \"Go to checkout\"", "button('Go to checkout')"),
            ("fill \"Name\" \"Grace\"", "field('Name')"),
            ("click button \"Place order\"", "button('Place order')"),
        ],
        secret: None,
        movable: true,
    },
    Scenario {
        name: "inbox",
        application: Application::Page(include_str!("pages/inbox.html")),
        path: "/",
        step: "tidy up what Grace Hopper and Alan Turing wrote",
        expect: "\"Archived: Tea on Thursday\" is shown",
        actions: &[
            ("click button \"Star\" in \"Grace Hopper\"", "button('Star', row('Grace Hopper'))"),
            ("click button \"Archive\" in \"Alan Turing\"", "button('Archive', row('Alan Turing'))"),
        ],
        secret: None,
        movable: false,
    },
    Scenario {
        name: "demo",
        application: Application::DemoSite,
        path: "/enter?to=/orders/new",
        step: "order 3 pieces of \"Anchor line 16 mm\" for Ada Lind, to be delivered on 2026-12-24",
        expect: "\"Order placed\" is shown",
        actions: &[
            ("fill \"Customer\" \"Ada Lind\"", "field('Customer')"),
            ("fill \"E-mail\" \"ada@example.org\"", "field('E-mail')"),
            ("select \"Product\" \"Anchor line 16 mm\"", "field('Product')"),
            ("fill \"Quantity\" \"3\"", "field('Quantity')"),
            ("select \"Delivery\" \"Courier\"", "all('[role=combobox]')[0]"),
            ("fill \"Delivery date\" \"2026-12-24\"", "field('Delivery date')"),
            ("check checkbox \"The customer accepts the terms\"", "field('The customer accepts the terms')"),
            ("click button \"Place order\"", "button('Place order')"),
        ],
        secret: None,
        // The script of its page finds its list from the document.
        movable: false,
    },
    Scenario {
        name: "django",
        application: Application::Django,
        path: "/admin/",
        step: "let the librarian in with ${secret:library_password} and register Clarice Lispector",
        expect: "\"was added successfully\" is shown",
        actions: &[
            ("fill \"Username\" \"librarian\"", "field('Username')"),
            ("fill \"Password\" \"${secret:library_password}\"", "field('Password')"),
            ("click button \"Log in\"", "button('Log in')"),
            ("click link \"Add\" in row \"Authors\"", "button('Add', row('Authors'))"),
            ("fill \"Name\" \"Clarice Lispector\"", "field('Name')"),
            ("fill \"Born\" \"1920-12-10\"", "field('Born')"),
            ("click button \"Save\"", "button('Save')"),
        ],
        secret: Some(("library_password", DjangoAdmin::PASSWORD)),
        movable: false,
    },
    Scenario {
        name: "tiddlywiki",
        application: Application::TiddlyWiki,
        path: "/",
        step: "clear the desk and open the control panel",
        expect: "the heading \"$:/ControlPanel\" is shown",
        actions: &[
            ("click button \"close all\"", "button('close all')"),
            ("click button \"control panel\"", "button('control panel')"),
        ],
        secret: None,
        movable: false,
    },
];
