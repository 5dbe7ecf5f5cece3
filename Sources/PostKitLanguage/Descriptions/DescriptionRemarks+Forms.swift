// Differences in forms: their fields, whose values are texts.

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitText

extension DescriptionRemarks {
  /// A field that an operation takes.
  private struct Field {
    let name: String
    let isRequired: Bool
    let schemas: [DescribedValue]
    /// The parameter of Swagger 2.0 that it is.
    var parameter: APIParameter?
  }

  /// A field that a body has.
  private struct WrittenField {
    /// The name, and where it is written where no reference is in it.
    let name: String
    let nameSource: Range<Int>?
    var value: String?
    var valueSource: Range<Int>?
  }

  /// Compares the pairs of a form.
  mutating func checkForm(_ body: BodySyntax, _ media: APIMedia) {
    var fields: [WrittenField] = []
    for line in body.lines where line.kind == .text {
      for pair in TargetShape(query: block.slice(line.content)).pairs {
        let base = block.absolute(line.content).lowerBound
        func source(_ range: Range<Int>) -> Range<Int> {
          range.lowerBound + base..<range.upperBound + base
        }
        func text(_ range: Range<Int>) -> String {
          let bytes = analysis.document.bytes[source(range)]
          return PercentEncoding.decodeForm(
            String(decoding: bytes, as: UTF8.self).trimmingASCIIBlanks())
        }
        let name = text(pair.name)
        guard !name.isEmpty else { continue }
        fields.append(
          WrittenField(
            name: name, nameSource: source(pair.name), value: pair.value.map(text),
            valueSource: pair.value.map(source)))
      }
    }
    check(fields, media, anchor: block.absolute(body.range).lowerBound)
  }

  /// Compares the parts of a multipart body by their names; what is in them may be anything.
  mutating func checkParts(_ body: BodySyntax, _ type: MediaType, _ media: APIMedia) {
    guard type.essence == "multipart/form-data" else { return }
    var fields: [WrittenField] = []
    for line in body.lines where line.kind == .text {
      let text = block.text(line.content)
      guard text.lowercased().hasPrefix("content-disposition:"),
        let mark = text.firstRange(of: " name=\"") ?? text.firstRange(of: ";name=\"")
      else { continue }
      let rest = text[mark.upperBound...]
      let name = rest.prefix { $0 != "\"" }
      let start =
        block.absolute(line.content).lowerBound + text.utf8.distance(
          from: text.startIndex, to: mark.upperBound)
      fields.append(
        WrittenField(name: String(name), nameSource: start..<start + name.utf8.count))
    }
    if fields.isEmpty { return }
    check(fields, media, anchor: block.absolute(body.range).lowerBound)
  }

  private mutating func check(_ written: [WrittenField], _ media: APIMedia, anchor: Int) {
    let (fields, isClosed) = fields(of: media)
    var mayHaveMore = block.slice(request.body?.range ?? 0..<0).isEmpty
    for field in written {
      if field.name.contains("{{") {
        mayHaveMore = true
        continue
      }
      let own = field.name.prefix { $0 != "[" }
      let known = fields.first { $0.name == field.name || $0.name.utf8.elementsEqual(own.utf8) }
      if let known {
        if known.name == field.name, let value = field.value, let range = field.valueSource {
          if let parameter = known.parameter {
            checkValue(value, of: parameter, at: range)
          } else {
            checkValue(value, known.schemas, nil, known.name, at: range)
          }
        }
      } else if isClosed, let range = field.nameSource {
        let others = Set(written.map(\.name))
        let nearest = Suggestion.nearest(
          to: field.name, among: fields.map(\.name).filter { !others.contains($0) })
        say(
          .openAPIBody, range,
          "The form has no field `\(field.name)`. "
            + question(nearest, otherwise: "Remove it, or correct its name."),
          guesses: nearest.map { writing($0, at: range) } ?? [])
      }
    }
    guard !mayHaveMore else { return }
    for field in fields where field.isRequired {
      guard !written.contains(where: { $0.name.prefix { $0 != "[" } == field.name }) else {
        continue
      }
      say(
        .openAPIBody, anchor..<anchor + 1, "The form needs the field `\(field.name)`. Add it.",
        adding(field, media).map { [QuickFix("Add `\(field.name)`", $0)] } ?? [])
    }
  }

  /// Adds a field with a sample of its value behind the last pair; `nil` for a form of parts.
  private mutating func adding(_ field: Field, _ media: APIMedia) -> TextEdit? {
    guard MediaType(media.type)?.isForm == true,
      let line = request.body?.lines.last(where: { line in
        line.kind == .text && !block.slice(line.content).allSatisfy { $0 <= 32 }
      })
    else { return nil }
    let sample = field.parameter.map { sampler.value(of: $0) }
      ?? field.schemas.first.flatMap { sampler.sample(of: $0) } ?? .string("string")
    func encoded(_ text: String) -> String { PercentEncoding.encode(text, allowing: .form) }
    let pairs = ParameterWriter(
      name: field.name, style: .form, isExploded: true, isForURL: false, encode: encoded
    ).pairs(sample).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let end = block.absolute(line.content).upperBound
    let isOpen = block.text(line.content).trimmingASCIIBlanks().hasSuffix("&")
    return TextEdit(end..<end, (isOpen ? "" : "&") + pairs)
  }

  /// The fields that a form may have, and whether it may have no others.
  private func fields(of media: APIMedia) -> ([Field], isClosed: Bool) {
    if !media.fields.isEmpty {
      let fields = media.fields.map {
        Field(
          name: $0.name, isRequired: $0.isRequired, schemas: $0.schema.map { [$0] } ?? [],
          parameter: $0)
      }
      return (fields, true)
    }
    guard let schema = media.schema, let all = index.schema(schema, at: []) else {
      return ([], false)
    }
    let own = FlatSchema([schema], in: index.description.documents, dialect)
    let required = own.required
    let fields = all.properties.map { name, schemas in
      let readOnly = schemas.contains {
        FlatSchema([$0], in: index.description.documents, dialect).isTrue("readOnly")
      }
      return Field(
        name: name, isRequired: required.contains(name) && !readOnly, schemas: schemas)
    }
    return (fields, own["additionalProperties"]?.view.bool == false)
  }
}
