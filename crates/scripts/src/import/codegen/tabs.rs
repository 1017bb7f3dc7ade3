//! The tabs of a script, each with the variable that contains its page.

/// The tabs in the order in which they were opened.
#[derive(Debug)]
pub(super) struct Tabs {
    pages: Vec<String>,
    /// The index of the current tab; none after the current one was closed.
    current: Option<usize>,
}

impl Default for Tabs {
    fn default() -> Tabs {
        Tabs { pages: vec!["page".to_owned()], current: Some(0) }
    }
}

impl Tabs {
    /// Whether the statement assigns the page of a popup: `const page1 = await page1Promise`,
    /// `page1 = page1_info.value`. The popup is the current tab since the action that opened it.
    pub(super) fn opened(&mut self, code: &str) -> bool {
        let Some((name, value)) = code.split_once(" = ") else { return false };
        let name = name.trim_start_matches("const ").trim_start_matches("let ").trim();
        let value = value.trim_start_matches("await ").trim();
        let promise = value.strip_suffix(".value").unwrap_or(value);
        let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_popup = promise.starts_with("page") || promise.starts_with("popup");
        if !is_name(name) || !name.starts_with("page") || !is_name(promise) || !is_popup {
            return false;
        }
        // An export names every current page `page`.
        self.pages.iter_mut().filter(|page| *page == name).for_each(String::clear);
        self.pages.push(name.to_owned());
        self.current = Some(self.pages.len() - 1);
        true
    }

    /// The index of the tab that must become the current one before a statement on this page.
    pub(super) fn switched_to(&mut self, page: &str) -> Option<usize> {
        let at = self.pages.iter().position(|known| known == page)?;
        if self.current == Some(at) || self.pages.len() == 1 {
            return None;
        }
        self.current = Some(at);
        Some(at)
    }

    pub(super) fn closed(&mut self, page: &str) {
        self.pages.retain(|known| known != page);
        self.current = None;
    }
}
