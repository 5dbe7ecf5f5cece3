// `[Options]` of Hurl as tags.

import PostKitHTTP

/// Reads the options of an entry.
struct HurlOptions {
  let context: OriginContext
  let templates: HurlTemplates
  let source: OriginSource

  /// Adds what the options say to a request. Hurl follows redirects only where it is told to.
  func read(_ options: [HurlPair], into request: inout OriginRequest) {
    var follows = false
    for option in options {
      let place = OriginPlace(file: source.name, line: option.line)
      let value = templates.text(option.value, at: place)
      switch option.name {
      case "location", "location-trusted": follows = value == "true"
      case "user", "aws-sigv4", "digest", "ntlm": break
      case "variable": addVariable(value, to: &request, at: place)
      case "header":
        guard let colon = value.firstIndex(of: ":") else { break }
        request.headers.append(
          OriginPair(
            name: OriginText(String(value[..<colon])),
            value: OriginText(String(value[value.index(after: colon)...]).trimmingBlanks)))
      default:
        if let tag = tag(option.name, value, at: place) {
          if !tag.isEmpty { request.metadata.append(tag) }
        } else {
          tell("The option `\(option.name)` has no counterpart and is left out.", at: place)
        }
      }
    }
    if !follows { request.metadata.insert("no-redirect", at: 0) }
    signIn(options, &request)
  }

  private func tell(_ message: String, at place: OriginPlace) {
    context.notes.tell(.settingUnsupported, message, at: place)
  }

  /// The tag of an option; empty where it needs none, `nil` where there is none.
  private func tag(_ name: String, _ value: String, at place: OriginPlace) -> String? {
    switch name {
    case "insecure": return value == "true" ? "insecure" : ""
    case "skip": return value == "true" ? "disabled" : ""
    case "delay": return "sleep \(Self.milliseconds(value, unit: 1) ?? value)"
    case "max-time": return "timeout \(duration(value))"
    case "connect-timeout": return "connection-timeout \(duration(value))"
    case "max-redirs": return value == "-1" ? "curl-max-redirs -1" : "curl-max-redirs \(value)"
    case "repeat": return loop(value)
    case "retry":
      guard let turns = loop(value), !turns.isEmpty else { return loop(value) }
      tell("A retry sends the request until it succeeds; `@loop` sends it each time.", at: place)
      return turns
    case "proxy":
      guard !value.contains("@") || value.contains("{{") else {
        tell("The proxy is left out, as its URL has credentials.", at: place)
        return ""
      }
      return "proxy \(value)"
    case "cacert", "cert", "key": return "curl-\(name) \(value)"
    case "http1.0", "http1.1", "http2", "http3", "path-as-is":
      return value == "true" ? "curl-\(name)" : ""
    // What Hurl shows and keeps, and what is so anyway.
    case "verbose", "very-verbose", "verbosity", "compressed": return ""
    default: return nil
    }
  }

  /// A loop of that many turns; `nil` for one without an end, such as -1.
  private func loop(_ value: String) -> String? {
    if value.contains("{{") { return "loop for \(value)" }
    guard let count = Int(value), count >= 0 else { return nil }
    return count == 0 ? "" : "loop for \(count)"
  }

  /// A time with our unit; without one Hurl counts seconds here.
  private func duration(_ text: String) -> String {
    Self.milliseconds(text, unit: 1_000).map { "\($0) ms" } ?? text
  }

  /// `500ms`, `5s`, `2m`, `1h` or a number of units in milliseconds; `nil` for a template.
  private static func milliseconds(_ text: String, unit: Int) -> String? {
    let digits = text.prefix { $0.isNumber }
    let units = ["": unit, "ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000]
    guard let number = Int(digits), let unit = units[String(text.dropFirst(digits.count))] else {
      return nil
    }
    let (product, isTooLarge) = number.multipliedReportingOverflow(by: unit)
    return isTooLarge ? nil : String(product)
  }

  private func addVariable(
    _ text: String, to request: inout OriginRequest, at place: OriginPlace
  ) {
    guard let pair = HurlVariables.pair(text) else {
      return tell("`variable` takes a name, `=` and a value.", at: place)
    }
    request.variables.append(
      OriginVariable(
        name: pair.name, value: HurlVariables.value(pair.value, templates, at: place),
        isForLater: true, place: place))
  }

  /// `user` with the option that says how.
  private func signIn(_ options: [HurlPair], _ request: inout OriginRequest) {
    func value(_ name: String) -> String? { options.last { $0.name == name }?.value }
    guard let user = value("user").map({ templates.text($0, at: request.place) }) else { return }
    let halves = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let (name, password) = (String(halves[0]), halves.count > 1 ? String(halves[1]) : "")
    if let signature = value("aws-sigv4") {
      // provider1:provider2:region:service
      let words = signature.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      var aws = OriginAWS(accessKey: name, secretKey: password)
      if words.count > 2 { aws.region = words[2] }
      if words.count > 3 { aws.service = words[3] }
      request.auth = .aws(aws)
    } else if value("digest") == "true" {
      request.auth = .digest(user: name, password: password)
    } else if value("ntlm") == "true" {
      request.auth = .ntlm(user: name, password: password, domain: nil)
    } else {
      request.auth = .basic(user: name, password: password)
    }
  }
}
