//! Trees, rows and other parts of a page that can be opened and closed.

use legwork_protocol::{Action, ActionFailure};

use crate::support::*;

/// Items as trees of widely used libraries write them: a click on the name chooses the item, one on the toggle opens
/// it.
const TREES: &str = r#"<p id=said></p><ul role=tree>
<li role=none class=jstree-node><i class="jstree-icon jstree-ocl" role=presentation>&#9656;</i><a role=treeitem aria-expanded=false tabindex=0 class=jstree-anchor><i class="jstree-icon jstree-checkbox" role=presentation></i>Documents</a></li>
<li role=treeitem aria-expanded=false id=prime><div><button class="p-tree-node-toggle-button"><svg width=9 height=9></svg></button><input type=checkbox><span>Pictures</span></div><ul role=group hidden><li role=treeitem aria-expanded=false>Inner</li></ul></li>
<li role=treeitem aria-expanded=false id=ant><span class="ant-tree-switcher"><span role=img aria-label=caret-down>v</span></span><span class="ant-tree-checkbox" role=checkbox aria-checked=false></span><span class=title>Music</span></li>
<li role=treeitem id=leaf><span>Notes</span></li></ul>
<table><tr id=row><td><button aria-expanded=false aria-label="Details">+</button></td><td>Globex</td></tr></table>
<details id=details><summary>More</summary>text</details>
<script>
 let log=[];
 document.addEventListener('click',e=>{
  const holder=e.target.closest('tr')?.querySelector('[aria-expanded]')??e.target.closest('li')?.querySelector('a[aria-expanded]')??e.target.closest('[aria-expanded]');
  if(e.target.closest('summary'))return;
  const toggled=e.target.closest('.jstree-ocl,button,.ant-tree-switcher');
  if(!toggled){log.push('chose '+e.target.textContent.trim())}
  else if(holder){const open=holder.getAttribute('aria-expanded')!=='true';setTimeout(()=>holder.setAttribute('aria-expanded',open),30)}
  said.textContent=log.join();
 });
</script>"#;

#[test]
fn parts_of_a_page_are_opened_by_their_toggles() {
    run(async {
        let visit = visit(TREES).await;
        for (target, opened) in [
            ("role=treeitem[name=\"Documents\"]", "css=a[aria-expanded=true]"),
            ("#prime", "css=#prime[aria-expanded=true]"),
            ("#ant", "css=#ant[aria-expanded=true]"),
            ("#row", "css=#row [aria-expanded=true]"),
            ("#details", "css=#details[open]"),
        ] {
            // A part that is open stays open.
            visit.does(Action::Expand(on(at(target)))).await;
            visit.does(Action::Expand(on(at(target)))).await;
            visit.read(opened).await;
        }
        visit.does(Action::Collapse(on(at("#ant")))).await;
        visit.read("css=#ant[aria-expanded=false]").await;
        assert!(matches!(visit.fails(Action::Expand(on(at("#leaf")))).await, ActionFailure::WrongKind { .. }));
        assert_eq!(visit.read("#said").await, "", "no item was chosen, and no box was ticked");
        assert_eq!(visit.read("#ant [role=checkbox]").await, "");
    });
}

#[test]
fn an_item_that_stays_closed_is_a_failure() {
    run(async {
        let visit = visit("<ul role=tree><li role=treeitem aria-expanded=false id=a>Sales</li></ul>").await;
        match visit.fails(Action::Expand(on(at("#a")))).await {
            ActionFailure::NotToggled { state, .. } => assert_eq!(state, "expanded"),
            other => panic!("{other}"),
        }
    });
}
