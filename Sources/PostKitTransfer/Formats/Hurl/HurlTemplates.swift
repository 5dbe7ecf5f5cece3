// Templates of Hurl in our own form (IO-17).

import PostKitHTTP

/// Rewrites references of Hurl.
struct HurlTemplates {
  let notes: ImportNotes
  /// What stands for a variable at this place in the file, such as a part of an earlier answer.
  var replacements: [String: String] = [:]

  /// A text with its references in our form.
  func text(_ text: String, at place: OriginPlace) -> String {
    guard text.contains("{{") else { return text }
    return TemplateText.rewriting(text) { "{{\(expression(String($0), at: place))}}" }
  }

  /// What stands between the braces in our form.
  func expression(_ written: String, at place: OriginPlace) -> String {
    if let replacement = replacements[written] { return replacement }
    switch written {
    case "newUuid": return "$guid"
    case "newDate": return "$datetime iso8601"
    default: break
    }
    let words = written.split(separator: " ")
    if words.count == 2, words[0] == "getEnv" {
      return "$processEnv " + words[1].replacing("\"", with: "")
    }
    if words.count > 1 {
      notes.tell(
        .templateUnsupported,
        "`\(written)` changes a value where it is used, which has no counterpart; it is kept.",
        at: place)
    }
    return written
  }

  /// A text for a URL's query as Hurl sends it: encoded but for its references.
  func encoded(_ text: String, at place: OriginPlace) -> String {
    TemplateText.outside(self.text(text, at: place)) {
      PercentEncoding.encode($0, allowing: .unreserved)
    }
  }
}
