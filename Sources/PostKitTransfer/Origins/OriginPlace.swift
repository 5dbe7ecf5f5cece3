// Where something stands in a source.

/// A place in a source: a JSON Pointer (RFC 6901), or a file and a line for texts that are no tree.
///
/// It is kept as a chain and put together only when somebody is told, because nearly all places of
/// a source are never told.
struct OriginPlace: Sendable, Hashable, CustomStringConvertible {
  private final class Link: Sendable, Hashable {
    let parent: Link?
    /// The name of a member; empty for an element.
    let name: String
    /// The position of an element; -1 for a member.
    let position: Int

    init(parent: Link?, name: String = "", position: Int = -1) {
      self.parent = parent
      self.name = name
      self.position = position
    }

    /// The step as a pointer has it, unescaped.
    var step: String { position < 0 ? name : String(position) }

    static func == (left: Link, right: Link) -> Bool {
      left === right || (left.step == right.step && left.parent == right.parent)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(step) }
  }

  private var file: String?
  private var line: Int?
  private var link: Link?

  /// The whole of a source; `file` names it where there are several.
  init(file: String? = nil) { self.file = file }

  /// A line of a text, counted from 1.
  init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  /// The member of that name.
  func member(_ name: String) -> OriginPlace {
    var place = self
    place.link = Link(parent: link, name: name)
    return place
  }

  /// The element at that position, counted from 0.
  func element(_ position: Int) -> OriginPlace {
    var place = self
    place.link = Link(parent: link, position: position)
    return place
  }

  /// `/item/3/request`, `FILE#/item/3` or `FILE:12`.
  var description: String {
    if let line { return "\(file ?? ""):\(line)" }
    var links: [Link] = []
    var at = link
    while let here = at {
      links.append(here)
      at = here.parent
    }
    var pointer = ""
    for link in links.reversed() {
      pointer += "/"
      if link.position >= 0 {
        pointer += String(link.position)
      } else if !link.name.has("/"), !link.name.has("~") {
        pointer += link.name
      } else {
        pointer += link.name.replacing("~", with: "~0").replacing("/", with: "~1")
      }
    }
    guard let file else { return pointer }
    return "\(file)#\(pointer)"
  }
}
