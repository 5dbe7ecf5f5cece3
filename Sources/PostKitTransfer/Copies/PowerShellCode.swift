// A request as a line of PowerShell 7 with `Invoke-WebRequest`.

import PostKitHTTP

/// Writes requests as PowerShell.
enum PowerShellCode {
  /// What `-Method` takes; others are `-CustomMethod`.
  private static let methods: Set<String> = [
    "DELETE", "GET", "HEAD", "MERGE", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
  ]

  /// A call that sends the request and shows the response.
  static func text(for spec: RequestSpec) -> String {
    var remarks = CopyRemarks("Invoke-WebRequest")
    remarks.add("This text is for PowerShell 7; no PowerShell has tried it.")
    addRemarks(spec, &remarks)
    var words = ["Invoke-WebRequest"]
    let option = methods.contains(spec.method) ? "-Method" : "-CustomMethod"
    words.append("\(option) \(quoted(spec.method))")
    words.append("-Uri \(quoted(spec.url))")
    let headers = spec.headers.joined.filter(sends)
    if !headers.isEmpty {
      let pairs = headers.map { "\(quoted($0.name)) = \(quoted($0.value))" }
      words.append("-Headers @{ \(pairs.joined(separator: "; ")) }")
    }
    if let body = body(spec) { words.append("-Body \(body)") }
    words += ["-SkipHeaderValidation", "-SkipHttpErrorCheck"]
    let options = spec.options
    words.append("-MaximumRedirection \(options.followsRedirects ? options.redirectLimit : 0)")
    if let total = options.totalTimeoutMilliseconds {
      words.append("-TimeoutSec \((total + 999) / 1000)")
    }
    if !options.verifiesTLS { words.append("-SkipCertificateCheck") }
    switch options.proxy {
    case nil: break
    case "": words.append("-NoProxy")
    case let proxy?: words.append("-Proxy \(quoted(proxy))")
    }
    return (remarks.lines("#") + [words.joined(separator: " ")]).joined(separator: "\n")
  }

  /// A text in which only the quote itself is special. PowerShell takes typographic quotes for it.
  private static func quoted(_ text: String) -> String {
    let doubled = text.unicodeScalars.map { scalar in
      "'\u{2018}\u{2019}\u{201A}\u{201B}".unicodeScalars.contains(scalar)
        ? "\(scalar)\(scalar)" : String(scalar)
    }
    return "'\(doubled.joined())'"
  }

  private static func body(_ spec: RequestSpec) -> String? {
    let pieces = spec.contents.map { content in
      switch content {
      case .file(let path): "[IO.File]::ReadAllBytes(\(quoted(path)))"
      case .text(let text) where isPlain(text): "[Text.Encoding]::UTF8.GetBytes(\(quoted(text)))"
      case .text(let text):
        "[Convert]::FromBase64String('\(Base64.encode(Array(text.utf8)))')"
      case .bytes(let bytes): "[Convert]::FromBase64String('\(Base64.encode(bytes))')"
      }
    }
    if pieces.isEmpty { return nil }
    return "([byte[]](\(pieces.map { "(\($0))" }.joined(separator: " + "))))"
  }

  /// Whether a text looks as it is: nothing in it is hidden, and its lines end as the copy's do.
  static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 9, 10, 32..<127: true
      case 0..<160, 0xAD, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: false
      default: scalar.value < 0xE0000
      }
    }
  }

  private static func sends(_ field: HeaderField) -> Bool {
    isPlain(field.value) && !field.value.keepsBytes
      && !field.name.equalsIgnoringASCIICase("Transfer-Encoding")
  }

  private static func addRemarks(_ spec: RequestSpec, _ remarks: inout CopyRemarks) {
    remarks.addCommon(spec)
    remarks.addJoined(spec.headers)
    remarks.addOwn(["User-Agent"], spec)
    for field in spec.headers.fields where !sends(field) { remarks.addRefused(field) }
    remarks.addOptions(spec.options, except: [.totalTimeout, .insecure, .proxy])
    if CopiedTarget(spec.url).hasDotSegments { remarks.addRewritten(spec.url) }
  }
}
