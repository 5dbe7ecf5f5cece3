// The knobs that choose between two readings of the same text, and the presets that bundle them.

package import PostKitSyntax

/// One reading for each question on which tools differ.
package struct Dialect: Sendable, Hashable {
  /// Which definition counts where a file defines a name more than once (PK-96).
  package enum Redefinition: Sendable, Hashable {
    case nearestAbove, lastInFile
    /// Definitions hold from their line on, and are read where they are used.
    case topDown
    /// They hold from their line on, with the value that they have there.
    case topDownFixed
  }
  /// Whether the file or the environment wins (PK-60).
  package enum Precedence: Sendable, Hashable { case fileFirst, environmentFirst }
  /// What becomes of a reference in a body that nothing resolves (PK-67). Anywhere else it keeps
  /// the request from being sent, whatever the preset.
  package enum UnresolvedInBody: Sendable, Hashable { case literal, error, empty }
  /// Which backslash escapes a definition's value knows (PK-33).
  package enum Escapes: Sendable, Hashable { case minimal, restClient, none }
  /// What happens to comment lines in bodies (PK-5).
  package enum BodyComments: Sendable, Hashable { case byType, strip, keep }
  /// What `< file` means (PK-16).
  package enum FileBody: Sendable, Hashable {
    case rawPlain, substitutePlain
    /// Bytes as they are but for `.json`, `.graphql` and `.gql`.
    case substituteStructured
  }
  /// What ends the lines of a body on the wire.
  package enum BodyLineEnding: Sendable, Hashable {
    case lineFeed, carriageReturnLineFeed, asWritten
  }
  /// Which environment files are read (PK-47).
  package enum EnvironmentSearch: Sendable, Hashable { case merge, nearest, dotEnvOnly }
  /// Where the relative paths of a request count from (PK-17).
  package enum PathBase: Sendable, Hashable {
    /// The request file's folder, then the root.
    case file
    /// The root, then the request file's folder.
    case root
    /// The request file's folder alone.
    case fileAlone
  }
  /// What becomes of requests that nobody asked for, but a reference reads (PK-58).
  package enum NeededRequests: Sendable, Hashable {
    /// They are sent first, after a question where somebody can be asked.
    case ask
    /// They are sent first without a question.
    case missing
    case never
  }
  /// How a bare number is read as a duration (PK-37).
  package enum BareTimeout: Sendable, Hashable { case bySize, seconds, milliseconds }

  package var preset: DialectPreset
  package var redefinition = Redefinition.nearestAbove
  package var precedence = Precedence.fileFirst
  package var unresolvedInBody = UnresolvedInBody.literal
  package var escapes = Escapes.minimal
  package var bodyComments = BodyComments.byType
  package var fileBody = FileBody.rawPlain
  package var bareTimeout = BareTimeout.bySize
  package var bodyLineEnding = BodyLineEnding.lineFeed
  /// How forms are percent-encoded (PK-20).
  package var formEncoding = FormEncoding.automatic
  package var environmentSearch = EnvironmentSearch.merge
  package var pathBase = PathBase.file
  package var dateStyle = DateFormat.Style.heuristic
  /// What becomes of requests whose responses a reference reads (PK-58).
  package var neededRequests = NeededRequests.ask
  /// Whether cookies are sent and kept where no tag says otherwise (PK-83).
  package var usesCookieJar = true
  /// Whether the cookies of a `Cookie` header are kept for later requests (PK-83).
  package var cookieHeaderFeedsJar = false
  /// Whether globals outlive the process (PK-59); `nil` where an editor keeps them and the command
  /// line does not.
  package var persistsGlobals: Bool?
  /// Whether private environment files win over public ones (PK-49).
  package var privateEnvironmentWins = true
  /// Whether a bare name may be read from the process environment (PK-48).
  package var readsProcessEnvironment = false
  /// Whether `$timestamp` without arguments counts milliseconds (PK-61).
  package var timestampInMilliseconds = false
  /// Whether an origin-form target goes to https where no port says otherwise (PK-11).
  package var originFormIsHTTPS = false
  /// Whether JSON bodies without a type are sent as `application/json` (PK-100).
  package var infersContentType = false
  /// Whether redirects are followed where the request says nothing (PK-84).
  package var followsRedirects = true
  /// Whether a POST stays one after 301 and 302, where browsers send a GET (PK-84).
  package var keepsMethod = false
  /// Whether blocks titled `Shared` and `Shared each` go before others (PK-40).
  package var sharesBlocks: Bool { preset == .auto || preset == .kulala }
  /// Whether `{{true}}`, `{{false}}` and `{{null}}` are the values they name.
  package var readsLiterals: Bool { preset == .auto || preset == .httpyac }
  /// Whether the tests of a script run when the script has ended, not at once (SC-33).
  package var runsTestsLast = false
  /// Whether `{% %}` and files of scripts run (SC-1).
  package var runsHandlers: Bool {
    switch preset {
    case .auto, .jetbrains, .httpyac, .kulala: true
    case .restclient, .restnvim, .visualstudio: false
    }
  }
  /// Whether `{{ }}` blocks run (SC-1).
  package var runsScriptBlocks: Bool { preset == .auto || preset == .httpyac }
  /// Whether one trailing comma of a header value is dropped (PK-13).
  package var dropsTrailingComma = false

  /// Whether the tool that is copied runs a script of this form (SC-1).
  package func runs(_ script: ScriptSyntax) -> Bool {
    script.kind == .block ? runsScriptBlocks : runsHandlers
  }

  /// The reading of a preset.
  package init(_ preset: DialectPreset = .auto) {
    self.preset = preset
    neededRequests = preset == .auto ? .ask : .never
    switch preset {
    case .auto: break
    case .visualstudio:
      dateStyle = .dotNet
      unresolvedInBody = .error
      escapes = .none
      environmentSearch = .nearest
    case .restclient:
      redefinition = .lastInFile
      pathBase = .root
      keepsMethod = true
      dateStyle = .dayJS
      escapes = .restClient
      bodyComments = .strip
    case .jetbrains:
      precedence = .environmentFirst
      environmentSearch = .nearest
      escapes = .none
      bodyComments = .strip
      fileBody = .substitutePlain
      bareTimeout = .seconds
      runsTestsLast = true
    case .httpyac:
      redefinition = .topDownFixed
      keepsMethod = true
      dateStyle = .dayJS
      unresolvedInBody = .error
      escapes = .none
      bodyComments = .strip
      bareTimeout = .milliseconds
      timestampInMilliseconds = true
      dropsTrailingComma = true
    case .kulala:
      redefinition = .topDown
      precedence = .environmentFirst
      escapes = .none
      bodyComments = .keep
      fileBody = .substituteStructured
      bareTimeout = .seconds
      readsProcessEnvironment = true
      infersContentType = true
    case .restnvim:
      redefinition = .topDownFixed
      keepsMethod = true
      environmentSearch = .dotEnvOnly
      unresolvedInBody = .empty
      escapes = .none
      bodyComments = .keep
      fileBody = .substitutePlain
      readsProcessEnvironment = true
      originFormIsHTTPS = true
      infersContentType = true
    }
  }
}
