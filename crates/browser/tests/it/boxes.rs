//! Where an action's element was: what a viewer outlines on the picture before.

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

/// It is told before the page is scrolled to it, and also when nothing could be done with it.
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
        // The page is scrolled now, and what is said of one action is not said of the next.
        assert!(told(click(named("text=Near"))).await.is_some_and(|near| near.y < 0));
        assert_eq!(told(Action::Press(Press { key: "Escape".into(), target: None })).await, None);
        visit.session.close().await.unwrap();
    });
}

/// The inside of a frame's border is where its content begins. A click into a frame of a frame of another site once never came:
/// the inner window's elements were held to be none.
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
