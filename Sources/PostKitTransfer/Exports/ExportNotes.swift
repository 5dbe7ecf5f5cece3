// What an export tells, in the report and in comments of what it writes.

import PostKitHTTP

/// Collects what one export tells of requests. It belongs to the one who exports.
final class ExportNotes {
  private let notes: ImportNotes
  /// What was told of each request, by its number among those that were told of.
  private var remarks: [String: [String]] = [:]
  /// What is told of the whole export.
  private(set) var lines: [String] = []

  /// Begins with what was told while the requests were read.
  init(_ notes: ImportNotes) { self.notes = notes }

  /// Begins to write a request: what was told while it was read is told again in the output.
  func begin(_ request: ExportedRequest) {
    if remarks[request.id] == nil { remarks[request.id] = request.remarks }
  }

  /// Tells something of a request, once.
  func tell(
    _ code: ImportNoteCode, _ message: String, of request: ExportedRequest?,
    isWarning: Bool? = nil
  ) {
    guard let request else {
      guard !lines.contains(message) else { return }
      lines.append(message)
      notes.tell(code, message, at: OriginPlace(), isWarning: isWarning)
      return
    }
    begin(request)
    guard remarks[request.id]?.contains(message) != true else { return }
    remarks[request.id]?.append(message)
    notes.tell(
      ImportNote(
        code: code, isWarning: isWarning ?? code.isWarning, place: request.place,
        origin: request.path, message: message))
  }

  /// Tells something that the output says where it is needed.
  func report(_ code: ImportNoteCode, _ message: String) {
    notes.tell(code, message, at: OriginPlace())
  }

  /// Tells of a reference that the target can't resolve.
  func tellTemplate(_ written: String, of request: ExportedRequest?) {
    tell(
      .templateUnsupported, "`\(written)` stays as it is: the target has no such value.",
      of: request)
  }

  /// What was told of a request, as texts of one line.
  func remarks(of request: ExportedRequest) -> [String] {
    (remarks[request.id] ?? request.remarks).map(Self.oneLine)
  }

  /// Tells what no program that only sends requests can do of one.
  func tellCommon(of request: ExportedRequest, program: String, authenticates: Bool = false) {
    if !authenticates, let scheme = request.auth.scheme {
      tell(.authUnsupported, "\(program) does not support \(scheme); it is left out.", of: request)
    }
    if !request.scripts.isEmpty {
      tell(.scriptKept, "The scripts of the request are left out.", of: request, isWarning: true)
    }
    switch request.options.httpVersion {
    case .automatic, .http11: break
    case let version:
      tell(
        .settingUnsupported, "\(program) is not asked for HTTP/\(version.rawValue).", of: request)
    }
    if request.options.proxy != nil {
      tell(.settingUnsupported, "The proxy of the request is left out.", of: request)
    }
    if request.options.hasCertificate {
      tell(.settingUnsupported, "The certificate of the client is left out.", of: request)
    }
    if !request.options.usesCookies {
      tell(
        .settingUnsupported, "\(program) keeps cookies; `@no-cookie-jar` is left out.", of: request)
    }
  }

  /// A text without line ends and other control characters, which would end a comment.
  static func oneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.shown.unicodeScalars.map { scalar in
          switch scalar.value {
          case 0..<32, 127..<160, 0x2028, 0x2029: " "
          default: scalar
          }
        }))
  }
}

extension ExportedCollection {
  /// What is left out, as lines for a comment.
  var omissionLines: [String] {
    omissions.map { omission in
      "\((omission.folder + [omission.title]).joined(separator: " / ")) is left out: "
        + omission.reason
    }
  }

  /// What is switched off and so left out, as lines for a comment.
  var disabledLines: [String] {
    requests.filter { $0.isDisabled && $0.omission == nil }
      .map { "\($0.path) is left out: it is disabled." }
  }
}
