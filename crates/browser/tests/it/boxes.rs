//! Tests the position of an action's element, which a viewer outlines on the picture taken before the action.

use legwork_protocol::*;

use crate::support::*;

const AT: &str = "<style>body{margin:0} .at{position:absolute;left:40px;top:30px;width:100px;height:20px;margin:0;padding:0;border:0}\
                  .far{top:5000px} iframe{position:absolute;left:200px;top:100px;width:400px;height:300px;border:5px solid}</style>";

fn at(x: i32, y: i32, view: [u32; 2]) -> Option<ElementBox> {
    Some(ElementBox { x, y, width: 100, height: 20, view })
}

fn named(selector: &str) -> Target {
    Target(selector.to_owned())
}

/// The position is that before the page is scrolled to the element. It is reported also when the action fails.
#[test]
fn a_result_tells_where_its_element_was() {
    run(async {
        let visit = visit(&format!(
            "{AT}<button class=at>Near</button><button class='at far'>Far</button><input class=at style='left:300px'>
            <button class=at style='left:500px' disabled>Off</button><p class=at style='left:700px'>Text</p>"
        ))
        .await;
        let view: Vec<u32> =
            serde_json::from_value(visit.session.evaluate("[innerWidth,innerHeight]", None).await.unwrap()).unwrap();
        let view = [view[0], view[1]];
        let told = async |action| visit.act(action).await.r#box;
        assert_eq!(told(click(named("text=Near"))).await, at(40, 30, view));
        assert_eq!(told(fill(named("input"), "Ada")).await, at(300, 30, view));
        assert_eq!(told(Action::Hover(on(named("text=Off")))).await, at(500, 30, view));
        let read = Read { target: Some(named("p")), ..Read::default() };
        assert_eq!(told(Action::Read(read)).await, at(700, 30, view));
        assert_eq!(told(click(named("text=Far"))).await, at(40, 5000, view));
        // The page is now scrolled, and the position of one action is not reported with the next.
        assert!(told(click(named("text=Near"))).await.is_some_and(|near| near.y < 0));
        assert_eq!(told(Action::Press(Press { key: "Escape".into(), target: None })).await, None);
        visit.session.close().await.unwrap();
    });
}

/// The content of a frame begins at the inner edge of its border. Also tests that a click into a frame within a
/// cross-site frame arrives: it was once lost, because the elements of the inner window were not recognized as
/// elements.
#[test]
fn in_frames_it_is_told_in_the_tab_s_view() {
    run(async {
        let visit = visit("<p>here</p>").await;
        visit.site.page("/inner", &format!("{AT}<button class=at>Go</button>"));
        visit.site.page("/same", &format!("{AT}<iframe src=/inner></iframe>"));
        visit.site.page("/other", &format!("{AT}<iframe src='{}'></iframe>", visit.site.elsewhere("/inner")));
        let nested = visit.site.elsewhere("/same");
        visit.site.page("/both", &format!("{AT}<iframe src='{nested}' style='width:800px;height:500px'></iframe>"));
        for (path, x, y) in [("/same", 245, 135), ("/other", 245, 135), ("/both", 450, 240)] {
            visit.open(path).await;
            let button = visit.find("button", "Go").await;
            let told = visit.does(click(button)).await.r#box.unwrap();
            assert_eq!((told.x, told.y, told.width, told.height), (x, y, 100, 20), "{path}");
            assert!(told.view[0] > 500, "{path}: the frame's view, not the tab's: {told:?}");
        }
        visit.session.close().await.unwrap();
    });
}
