//! Exports as Playwright scripts, which run with the published packages, and imports of recordings.

use std::{path::Path, process::Command};

use legwork_demo_site::{DemoSite, PASSWORD, UPLOAD, UPLOAD_NAME};

use crate::support::{Program, finish};

/// The workflows, by name: the page on which they begin, and their steps.
const WORKFLOWS: [(&str, &str, &str); 10] = [
    (
        "sign_in",
        "/login",
        "- Click \"Accept all cookies\"\n- Type \"alice\" into \"User name\"\n- Type \"${secret:demo_password}\" into \"Password\"\n\
         - {step: 'Click the button \"Sign in\"', expect: '\"Welcome back, Alice\" is shown'}\n",
    ),
    (
        "search",
        "/enter?to=/products",
        "- Type \"line\" into \"Search products\"\n- {step: 'Click the button \"Search\"', expect: '\"5 products for “line”\" is shown'}\n\
         - {step: 'Choose \"Rope\" from \"Category\"', expect: '\"4 products for “line”\" is shown'}\n\
         - {step: 'Tick \"In stock only\"', expect: '\"3 products for “line”\" is shown'}\n- Click the button \"Price\"\n",
    ),
    (
        "order",
        "/enter?to=/orders/new",
        "- Type \"${customer}\" into \"Customer\"\n- Type \"ada@example.org\" into \"E-mail\"\n\
         - Choose \"Anchor line 16 mm\" from \"Product\"\n- Type \"3\" into \"Quantity\"\n\
         - Choose \"Navy\" and \"White\" from \"Colours\"\n- Choose \"Courier\" from \"Delivery\"\n\
         - Type \"2026-12-24\" into \"Delivery date\"\n- Select the radio button \"Card\"\n- Tick \"Gift wrap\"\n\
         - Tick \"The customer accepts the terms\"\n\
         - {step: 'Click the button \"Place order\"', expect: '\"Order placed\" is shown'}\n\
         - Save the text of \"Total\" as total\n- Check that the variable total is \"€ 123.60\"\n",
    ),
    (
        "dialog",
        "/enter?to=/orders",
        "- Click the button \"Delete order HS-1002\"\n- {step: Accept the dialog, expect: '\"HS-1002\" is not shown'}\n",
    ),
    (
        "upload",
        "/enter?to=/documents",
        "- Upload \"delivery-note.txt\" to \"Delivery note\"\n\
         - {step: 'Click the button \"Upload document\"', expect: '\"1 document received\" is shown'}\n",
    ),
    (
        "download",
        "/enter?to=/documents",
        "- {step: 'Click the link \"Download stock report\"', expect: '\"stock.csv\" was downloaded'}\n",
    ),
    (
        "frame",
        "/enter?to=/settings",
        "- Choose \"Europe/Lisbon\" from \"Time zone\"\n\
         - {step: 'Click the button \"Save settings\"', expect: '\"Settings saved\" is shown'}\n",
    ),
    (
        "frame_of_another_site",
        "/enter?to=/settings",
        "- Type \"5003\" into \"Postcode\"\n- Type \"12\" into \"Weight in kilograms\"\n\
         - {step: 'Click the button \"Get a quote\"', expect: '\"The parcel costs € 9.10\" is shown'}\n",
    ),
    (
        "shadow_root",
        "/enter?to=/partners",
        "- Type \"4711\" into \"Member number\"\n\
         - {step: 'Click the button \"Look up member\"', expect: '\"Member 4711 has 55 points\" is shown'}\n",
    ),
    (
        "tabs",
        "/enter?to=/partners",
        "- Hover over the button \"More\"\n- Click the link \"Pick-up\"\n- Click the link \"Show the code\"\n\
         - Save the text of \"Code of the day\" as pickup_code\n- Switch to the first tab\n\
         - Type \"${pickup_code}\" into \"Pick-up code\"\n\
         - {step: 'Click the button \"Release parcel\"', expect: '\"Code accepted\" is shown'}\n",
    ),
];

/// Runs a workflow on the site and exports its run in this format.
fn exported(program: &Program, site: &DemoSite, index: usize, format: &str) -> String {
    let (name, path, steps) = WORKFLOWS[index];
    let inputs = if steps.contains("${customer}") { "inputs:\n  customer: Ada Lind\n" } else { "" };
    program.write(UPLOAD_NAME, std::str::from_utf8(UPLOAD).unwrap());
    let file = format!("{name}.yaml");
    program.write(&file, &format!("name: {name}\nurl: {}{path}\n{inputs}steps:\n{steps}", site.url()));
    let mut command = program.command(&["run", &file, "--decider", "literal", "--secret", "demo_password", "--quiet"]);
    command.env("LEGWORK_SECRET_DEMO_PASSWORD", PASSWORD);
    finish(command).expect(0);
    program.run(&["export", "last", "--format", format]).expect(0).out
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_exported_as_a_script_and_imported_again() {
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    let typescript = exported(&program, &site, 2, "playwright-ts");
    for line in [
        "await page.getByRole('textbox', { name: 'Customer', exact: true }).fill(customer);",
        "await page.getByRole('combobox', { name: 'Product', exact: true }).selectOption('Anchor line 16 mm');",
        "await page.getByRole('option', { name: 'Courier', exact: true }).click();",
        "await page.getByLabel('Delivery date', { exact: true }).fill('2026-12-24');",
        "await expect(page.getByText('Order placed').filter({ visible: true }).first()).toBeVisible();",
        "total = ((await page.getByRole('status', { name: 'Total', exact: true }).innerText()) ?? '').trim();",
        "expect(total).toBe('€ 123.60');",
    ] {
        assert!(typescript.contains(line), "{line}\n{typescript}");
    }
    assert!(!typescript.contains("Ada Lind').fill"), "{typescript}");

    let frame = exported(&program, &site, 7, "playwright-py");
    let postcode = "page.frame_locator(\"iframe[title=\\\"Carrier quote\\\"]";
    assert!(
        frame.contains(postcode)
            && frame.contains(".get_by_role(\"textbox\", name=\"Postcode\", exact=True).fill(\"5003\")"),
        "{frame}"
    );
    let workflow = program.run(&["export", "last", "--format", "workflow"]).expect(0).out;
    assert!(workflow.contains("expect: \"\\\"The parcel costs € 9.10\\\" is shown\""), "{workflow}");

    // A script of an export is a recording again, and does the same.
    let settings = exported(&program, &site, 6, "playwright-ts");
    // The text of the last check is in a frame of the last page.
    let saved = settings.lines().find(|line| line.contains("'Settings saved'")).expect("the check is an assertion");
    assert!(saved.contains("page.frameLocator('iframe[title=\"Company settings\"]"), "{saved}");
    let settings =
        settings.replace("`${baseUrl}/enter?to=/settings`", &format!("'{}'", site.signed_in_url("/settings")));
    program.write("frame.spec.ts", &settings);
    let refused = program.run(&["import", "frame.spec.ts"]).expect(2);
    assert!(refused.err.contains("cannot be converted") && refused.err.contains("line "), "{}", refused.err);
    program.run(&["import", "frame.spec.ts", "-o", "again.yaml", "--partial"]).expect(0);
    let again = std::fs::read_to_string(program.work().join("again.yaml")).unwrap();
    assert!(again.contains("\"Choose \\\"Europe/Lisbon\\\" from \\\"Time zone\\\"\""), "{again}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_output_file_that_exists_is_replaced_only_with_force() {
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    exported(&program, &site, 6, "playwright-py");
    program.write("frame.py", "from playwright.sync_api import sync_playwright\npage.goto(\"https://shop.test/\")\n");
    for (command, file) in
        [(&["export", "last", "--format", "workflow"][..], "run.yaml"), (&["import", "frame.py"][..], "imported.yaml")]
    {
        let with = |more: &[&str]| program.run(&[command, &["-o", file], more].concat());
        program.write(file, "precious");
        let refused = with(&[]).expect(2);
        assert!(refused.err.contains(&format!("{file} exists already")), "{}", refused.err);
        assert!(refused.err.contains("overwrite the file with --force"), "{}", refused.err);
        let path = program.work().join(file);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
        with(&["--force"]).expect(0);
        assert!(std::fs::read_to_string(&path).unwrap().starts_with("name: "));
    }
}

/// `cargo xtask scripts` runs it, with the packages installed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs the packages of Playwright"]
async fn exported_scripts_run_with_the_published_packages() {
    let node = std::env::var("LEGWORK_PLAYWRIGHT_NODE").expect("the folder with node_modules/@playwright/test");
    let python = std::env::var("LEGWORK_PLAYWRIGHT_PYTHON").expect("a Python with the package playwright");
    let browser = legwork::browser::find_executable(legwork::browser::Engine::Chromium).expect("a browser");
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    let folder = Path::new(&node).join("exported");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(UPLOAD_NAME), UPLOAD).unwrap();
    for (index, (name, ..)) in WORKFLOWS.iter().enumerate() {
        std::fs::write(folder.join(format!("{name}.spec.ts")), exported(&program, &site, index, "playwright-ts"))
            .unwrap();
        let script = program.run(&["export", "last", "--format", "playwright-py"]).expect(0).out;
        std::fs::write(folder.join(format!("{name}.py")), script).unwrap();
    }
    let with_variables = |mut command: Command, site: &DemoSite| {
        command.current_dir(&folder).env("BASE_URL", site.url()).env("BROWSER_PATH", &browser);
        command.env("SECRET_DEMO_PASSWORD", PASSWORD).env("CI", "1");
        command.output().unwrap()
    };
    // The sites are new, so that every effect of the run happens again.
    let site = DemoSite::start().await.unwrap();
    let mut command = Command::new("npx");
    command.args(["playwright", "test", "--workers=1", "--reporter=line", "."]);
    let ended = with_variables(command, &site);
    let out = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(ended.status.success(), "{out}\n{}", String::from_utf8_lossy(&ended.stderr));
    assert!(out.contains(&format!("{} passed", WORKFLOWS.len())), "{out}");
    assert_eq!(site.ledger().iter().filter(|entry| entry.path == "/orders").count(), 1);

    let site = DemoSite::start().await.unwrap();
    let mut failed = Vec::new();
    for (name, ..) in WORKFLOWS {
        let mut command = Command::new(&python);
        command.arg(format!("{name}.py"));
        let ended = with_variables(command, &site);
        if !ended.status.success() {
            failed.push(format!("{name}: {}", String::from_utf8_lossy(&ended.stderr)));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(site.ledger().iter().filter(|entry| entry.path == "/orders").count(), 1);

    // A script whose assertion does not hold fails.
    let wrong = std::fs::read_to_string(folder.join("search.py")).unwrap().replace("3 products", "8 products");
    std::fs::write(folder.join("wrong.py"), wrong).unwrap();
    let mut command = Command::new(&python);
    command.arg("wrong.py");
    assert!(!with_variables(command, &site).status.success());
    std::fs::remove_dir_all(&folder).unwrap();
}
