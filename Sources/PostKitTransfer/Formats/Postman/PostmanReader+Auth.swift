// Who sends a request, as Postman says it (IO-18).

import PostKitJSON

extension PostmanReader {
  /// What a collection, folder or request says; `nil` where it says nothing and inherits.
  func auth(of owner: OriginObject, origin: String) -> OriginAuth? {
    guard let object = owner.object("auth") else {
      if let view = owner["auth"], !view.isNull {
        tellMalformed(
          "`auth` is no object, so what the folders say holds.", at: owner.place.member("auth"),
          origin: origin)
      }
      return nil
    }
    guard let kind = object.text("type") else {
      object.finish(origin: origin)
      return nil
    }
    let fields = PostmanAuthFields(object, kind, reader: self)
    for name in object.names where Self.kinds.contains(name) && name != kind {
      // What other kinds have kept is what an editor shows when one switches to them.
      _ = object[name]
    }
    object.ignore("id")
    object.finish(origin: origin)
    let auth = auth(kind, fields, at: object.place)
    fields.tellUnread(origin: origin)
    return auth
  }

  /// The kinds that Postman knows.
  private static let kinds: Set<String> = [
    "noauth", "basic", "bearer", "apikey", "digest", "ntlm", "awsv4", "oauth1", "oauth2", "hawk",
    "asap", "jwt", "edgegrid",
  ]

  private func auth(
    _ kind: String, _ fields: PostmanAuthFields, at place: OriginPlace
  ) -> OriginAuth {
    switch kind {
    case "noauth": return .none
    case "basic":
      fields.ignore("saveHelperData", "showPassword")
      return .basic(user: fields.text("username"), password: fields.text("password"))
    case "bearer": return .bearer(token: fields.text("token"), prefix: "Bearer")
    case "apikey":
      // Without a word it is a header.
      let location: OriginKeyLocation = fields.text("in") == "query" ? .query : .header
      return .apiKey(name: fields.text("key"), value: fields.text("value"), location: location)
    case "digest":
      // Nobody needs to know how often a client asks.
      fields.ignore("disableRetryRequest")
      return .digest(user: fields.text("username"), password: fields.text("password"))
    case "ntlm":
      fields.ignore("disableRetryRequest")
      let domain = fields.text("domain")
      return .ntlm(
        user: fields.text("username"), password: fields.text("password"),
        domain: domain.isEmpty ? nil : domain)
    case "awsv4":
      return .aws(
        OriginAWS(
          accessKey: fields.text("accessKey"), secretKey: fields.text("secretKey"),
          token: fields.text("sessionToken"), region: fields.text("region"),
          service: fields.text("service")))
    case "oauth2": return oauth2(fields, at: place)
    default: return .other(name: kind, fields: fields.variables())
    }
  }
}

/// The fields of one kind of auth: a list of pairs in 2.1, an object in 2.0.
final class PostmanAuthFields {
  /// A field and whether it was read.
  private struct Field {
    let name: String
    let value: JSONView
    let place: OriginPlace
    var isRead = false
  }

  private let reader: PostmanReader
  private let kind: String
  private var fields: [Field] = []

  /// Takes the fields of that kind.
  init(_ auth: OriginObject, _ kind: String, reader: PostmanReader) {
    self.reader = reader
    self.kind = kind
    for (value, place) in auth.array(kind) {
      guard let pair = OriginObject(value, at: place, notes: reader.notes),
        let name = pair.text("key")
      else {
        reader.tellMalformed("A field of `\(kind)` has no name and is left out.", at: place)
        continue
      }
      if let value = pair["value"] { fields.append(Field(name: name, value: value, place: place)) }
      pair.ignore("type", "system")
      pair.finish()
    }
    guard let view = auth.peek(kind), view.kind == .object else { return }
    _ = auth[kind]
    let place = auth.place.member(kind)
    for (key, value) in view.members {
      let name = key.string ?? ""
      fields.append(Field(name: name, value: value, place: place.member(name)))
    }
  }

  /// The value of a field; of equal names the last.
  func view(_ name: String) -> JSONView? {
    var found: JSONView?
    for index in fields.indices where fields[index].name == name {
      fields[index].isRead = true
      found = fields[index].value
    }
    return found
  }

  /// The text of a field; empty where there is none.
  func text(_ name: String) -> String {
    let place = fields.last { $0.name == name }?.place ?? OriginPlace()
    return view(name).map { reader.template($0.anyText, at: place) } ?? ""
  }

  /// The text of the first of these fields that has one.
  func text(of names: String...) -> String {
    let texts = names.map(text)
    return texts.first { !$0.isEmpty } ?? ""
  }

  /// Says of fields that they have no effect.
  func ignore(_ names: String...) { for name in names { _ = view(name) } }

  /// The place of a field, for notes.
  func place(_ name: String) -> OriginPlace? { fields.last { $0.name == name }?.place }

  /// The fields that can be secrets.
  private static let secrets: Set<String> = [
    "consumerSecret", "tokenSecret", "token", "authKey", "accessToken", "clientToken",
    "clientSecret", "privateKey", "secret", "password", "refreshToken",
  ]

  /// All fields with values, for a kind that can't be had.
  func variables() -> [OriginVariable] {
    fields.indices.compactMap { index in
      let field = fields[index]
      fields[index].isRead = true
      let text = field.value.anyText
      if text.isEmpty || field.value.bool == false { return nil }
      return OriginVariable(
        name: field.name, value: .text(reader.template(text, at: field.place)),
        isSecret: Self.secrets.contains(field.name), place: field.place)
    }
  }

  /// Tells of fields that nothing here does anything with.
  func tellUnread(origin: String) {
    for field in fields where !field.isRead {
      let text = field.value.anyText
      let isEmptyList = field.value.kind == .array && field.value.count == 0
      if text.isEmpty || field.value.bool == false || isEmptyList { continue }
      reader.notes.tell(
        .authPartial, "`\(field.name)` of `\(kind)` has no equivalent and is left out.",
        at: field.place, origin: origin)
    }
  }
}
