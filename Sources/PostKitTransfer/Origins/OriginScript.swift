// Scripts of another tool, and what a closed table of statements makes of them.

/// When a script runs.
enum OriginScriptPhase: Sendable, Hashable {
  case beforeRequest, afterResponse
}

/// A script that belongs to a request or a folder.
struct OriginScript: Sendable, Hashable {
  var phase: OriginScriptPhase
  /// The text, byte for byte.
  var text: String
  var place: OriginPlace
  /// What the closed table makes of it, where every statement is in that table (IO-19a).
  var translation: [OriginStatement]?
}

/// A statement of a script in words of ours.
enum OriginStatement: Sendable, Hashable {
  case check(OriginCheck)
  /// A statement of a JetBrains handler that sets or clears something, such as
  /// `client.global.set("k", response.body.a);`. It is written only where no script of the whole
  /// import is kept: their stores differ (design, 5.8).
  case handler(String)
  /// A statement without effect on what is sent or checked, such as `console.log`; told in a note.
  case dropped(String)
}
