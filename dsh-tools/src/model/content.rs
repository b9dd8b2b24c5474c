//! What a model reads: content blocks, named and shaped as MCP has them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::json::{TextMap, is_lossless, map_strings, to_text};

/// One item of the content a model reads (MCP 2025-11-25, `ContentBlock`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    #[serde(rename_all = "camelCase")]
    Image {
        /// The bytes in base64.
        data: String,
        /// What the bytes are, `image/png` for example.
        mime_type: String,
    },
    /// A sound.
    #[serde(rename_all = "camelCase")]
    Audio {
        /// The bytes in base64.
        data: String,
        /// What the bytes are, `audio/wav` for example.
        mime_type: String,
    },
    /// A place where more can be read; the other members are MCP's `ResourceLink`.
    ResourceLink {
        /// Where.
        uri: String,
        /// What it is called.
        name: String,
        /// Other members, kept as they are.
        #[serde(flatten)]
        other: Map<String, Value>,
    },
    /// A resource with its contents, MCP's `EmbeddedResource`.
    Resource {
        /// `uri` with `text` or `blob`, kept as it is.
        resource: Map<String, Value>,
    },
}

/// Content blocks in order; text, one block and several convert into it.
///
/// ```
/// use dsh_tools::{Content, ContentBlock};
///
/// let content = Content::from("3 files");
/// assert_eq!(content.blocks(), [ContentBlock::text("3 files")]);
/// assert_eq!(content.to_string(), "3 files");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Content(Vec<ContentBlock>);

impl ContentBlock {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// The text of a text block; other blocks as `[image content]` and so on.
    pub fn as_text(&self) -> &str {
        match self {
            Self::Text { text } => text,
            Self::Image { .. } => "[image content]",
            Self::Audio { .. } => "[audio content]",
            Self::ResourceLink { .. } => "[resource_link content]",
            Self::Resource { .. } => "[resource content]",
        }
    }

    /// The block with its texts changed; bytes in base64 are none.
    fn map_texts(&self, map: &TextMap<'_>) -> Option<Self> {
        match self {
            Self::Text { text } => map(text).map(Self::text),
            Self::Image { .. } | Self::Audio { .. } => None,
            Self::ResourceLink { uri, name, other } => {
                let changed = (map(uri), map(name), map_members(other, map));
                if let (None, None, None) = changed {
                    return None;
                }
                let (other_uri, other_name, others) = changed;
                Some(Self::ResourceLink {
                    uri: other_uri.unwrap_or_else(|| uri.clone()),
                    name: other_name.unwrap_or_else(|| name.clone()),
                    other: others.unwrap_or_else(|| other.clone()),
                })
            }
            Self::Resource { resource } => {
                map_members(resource, map).map(|resource| Self::Resource { resource })
            }
        }
    }
}

impl Content {
    /// The blocks, in order.
    pub fn blocks(&self) -> &[ContentBlock] {
        &self.0
    }

    /// The content with the texts of its blocks changed; none if none changes.
    pub(crate) fn map_texts(&self, map: &TextMap<'_>) -> Option<Self> {
        let changed: Vec<_> = self.0.iter().map(|block| block.map_texts(map)).collect();
        changed.iter().any(Option::is_some).then(|| {
            let blocks = self.0.iter().zip(changed);
            blocks.map(|(block, changed)| changed.unwrap_or_else(|| block.clone())).collect()
        })
    }

    /// Whether writing the blocks as text and reading them back gives them.
    pub(crate) fn is_lossless(&self) -> bool {
        self.0.iter().all(|block| match block {
            ContentBlock::ResourceLink { other: members, .. }
            | ContentBlock::Resource { resource: members } => members.values().all(is_lossless),
            _ => true,
        })
    }

    /// The blocks by value, in order.
    pub fn into_blocks(self) -> Vec<ContentBlock> {
        self.0
    }
}

/// The blocks as text, a line break between them.
impl std::fmt::Display for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, block) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            f.write_str(block.as_text())?;
        }
        Ok(())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        ContentBlock::text(text).into()
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        ContentBlock::text(text).into()
    }
}

impl From<ContentBlock> for Content {
    fn from(block: ContentBlock) -> Self {
        Self(vec![block])
    }
}

impl From<Vec<ContentBlock>> for Content {
    fn from(blocks: Vec<ContentBlock>) -> Self {
        Self(blocks)
    }
}

impl FromIterator<ContentBlock> for Content {
    fn from_iter<I: IntoIterator<Item = ContentBlock>>(blocks: I) -> Self {
        Self(blocks.into_iter().collect())
    }
}

/// The members with their strings changed, except for a `blob`, which is bytes in base64.
fn map_members(members: &Map<String, Value>, map: &TextMap<'_>) -> Option<Map<String, Value>> {
    let changed: Vec<_> = members
        .iter()
        .map(|(key, value)| if key == "blob" { None } else { map_strings(value, map) })
        .collect();
    changed.iter().any(Option::is_some).then(|| {
        let members = members.iter().zip(changed);
        let member = |((key, value), changed): ((&String, &Value), Option<Value>)| {
            (key.clone(), changed.unwrap_or_else(|| value.clone()))
        };
        members.map(member).collect()
    })
}

/// What a model reads when a tool says nothing about it: text as it is, other values as JSON.
pub(crate) fn default_render(value: &Value) -> Content {
    match value {
        Value::String(text) => text.as_str().into(),
        other => to_text(other).into(),
    }
}
