//! The Cases page: the filters, the list of what there is to work on, the brief of what is chosen.

mod brief;
mod chips;
mod columns;
mod list;

use crate::domain::Platform;
use crate::screen::part::canvas::Canvas;
use crate::workbench::Workbench;
use crate::workbench::layout;

pub(in crate::screen) fn draw(canvas: &mut Canvas<'_>, state: &Workbench) {
    let areas = layout::cases(state);
    chips::draw(canvas, areas.chips, state);
    list::draw(canvas, areas.list, state);
    brief::draw(canvas, areas.brief, state);
}

/// A platform in a word, for where there is little room.
const fn short(platform: Platform) -> &'static str {
    match platform {
        Platform::AwsIam => "AWS",
        Platform::AwsIdentityCenter => "AWS SSO",
        Platform::AzureAd => "Azure",
        Platform::GoogleWorkspace => "Google",
        Platform::MongodbAtlas => "Atlas",
        other => other.label(),
    }
}
