// Responses that Postman keeps with a request.

import PostKitJSON

extension PostmanReader {
  /// The examples of a request.
  func examples(
    of item: OriginObject, _ request: OriginRequest, origin: String
  ) -> [OriginExample] {
    let list = item.array("response")
    // Those who don't want them need no notes on them.
    guard context.options.takesExamples ?? true else { return [] }
    return list.compactMap { value, place in
      guard let response = OriginObject(value, at: place, notes: notes) else {
        if !value.isNull { tellMalformed("A response is no object.", at: place, origin: origin) }
        return nil
      }
      return example(response, of: request, origin: origin)
    }
  }

  private func example(
    _ response: OriginObject, of request: OriginRequest, origin: String
  ) -> OriginExample {
    let code = response.text("code").flatMap { Int($0) }
    let status = response.text("status") ?? ""
    var example = OriginExample(
      name: response.text("name") ?? status, status: code ?? 200, place: response.place)
    if code == nil {
      tellMalformed(
        "The response `\(example.name)` has no status code and is kept with 200.",
        at: response.place, origin: origin, isWarning: false)
    }
    let reading = PostmanRequest(reader: self, origin: origin, parents: PostmanParents())
    example.headers = reading.headers(of: response, "header").filter {
      let name = $0.name.text.lowercased()
      return $0.isOn
        && !["content-length", "transfer-encoding", "content-encoding"].contains(name)
    }
    example.body = Array((response.anyText("body") ?? "").utf8)
    if let original = response["originalRequest"], differs(original, from: request) {
      notes.tell(
        .memberUnknown,
        "`\(example.name)` answers a request that differs from this one; only the response is "
          + "kept.", at: response.place.member("originalRequest"), origin: origin)
    }
    if !example.headers.contains(where: { $0.name.text.lowercased() == "set-cookie" }),
      let cookies = response.peek("cookie"), cookies.count > 0
    {
      notes.tell(
        .cookieOmitted, "\(cookies.count) cookies of the response are left out.",
        at: response.place.member("cookie"), origin: origin)
    }
    response.ignore(
      "id", "uid", "_postman_id", "cookie", "responseTime", "_postman_previewlanguage",
      "_postman_previewtype", "timings", "responseSize", "createdAt", "updatedAt")
    tellDescription(of: response, for: "the response `\(example.name)`")
    response.finish(origin: origin)
    return example
  }

  /// Whether method, URL or body of a request as it was sent are others.
  private func differs(_ original: JSONView, from request: OriginRequest) -> Bool {
    // What a request that is not written has to tell concerns nobody.
    let quiet = PostmanReader(OriginContext(notes: ImportNotes(), file: { _ in .missing }))
    var other = OriginRequest(id: "", name: "", place: OriginPlace(), url: "")
    var reading = PostmanRequest(reader: quiet, origin: "", parents: PostmanParents())
    if let text = original.string {
      reading.readURL(text, into: &other, at: OriginPlace())
    } else if let object = OriginObject(original, at: OriginPlace(), notes: quiet.notes) {
      _ = reading.read(object, into: &other)
    } else {
      return false
    }
    return other.method != request.method || other.url != request.url
      || active(other.query) != active(request.query) || other.body != request.body
  }

  private func active(_ pairs: [OriginPair]) -> [[String]] {
    pairs.filter(\.isOn).map { [$0.name.text, $0.value?.text ?? ""] }
  }
}
