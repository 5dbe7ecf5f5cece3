// Templates of Bruno in texts (IO-17).

/// Rewrites Bruno's templates into ours.
struct BrunoTemplates {
  /// What is told of templates that have no equivalent.
  let notes: ImportNotes
  /// The names that the collection's `.env` defines.
  var dotEnv: Set<String> = []

  /// A text with its templates in our form.
  func text(_ text: String, at place: OriginPlace, _ origin: String?) -> String {
    TemplateText.rewriting(text) { inner in
      if inner.hasPrefix("process.env.") {
        let name = String(inner.dropFirst("process.env.".count))
        if dotEnv.contains(name) {
          notes.tell(
            .templateUnsupported,
            "`{{$processEnv \(name)}}` reads the process environment. Write `{{$dotenv \(name)}}` "
              + "where the value in `.env` is meant.",
            at: place, origin: origin)
        }
        return "{{$processEnv \(name)}}"
      }
      if inner.hasPrefix("?") {
        let label = inner.dropFirst().drop { $0 == " " }
        return label.isEmpty ? nil : "{{$input \(label)}}"
      }
      guard inner.hasPrefix("$") else { return "{{\(inner)}}" }
      if let ours = PostmanDynamics.ours[String(inner.dropFirst())] { return "{{\(ours)}}" }
      notes.tell(
        .templateUnsupported,
        "PostKit has nothing like `{{\(inner)}}` and keeps it as it is. Write a value or a "
          + "variable in its place.",
        at: place, origin: origin)
      return nil
    }
  }

  /// A text of a request with its templates in our form.
  func origin(_ text: String, at place: OriginPlace, _ origin: String?) -> OriginText {
    OriginText(self.text(text, at: place, origin))
  }
}
