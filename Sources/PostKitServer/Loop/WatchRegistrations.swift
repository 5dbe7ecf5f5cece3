// Asking the client to tell of what changes outside of the documents: files and settings.

import JSONRPC
import LanguageServerProtocol
import PostKitJSON
import PostKitSession
import PostKitSupport

/// What the client is asked to watch.
private enum WatchRegistrations {
  static let filesID = "postkit.files"
  static let filesMethod = LSP.DidChangeWatchedFilesNotification.method
  static let patterns = [
    "**/*.{http,rest,md,markdown}", "**/http-client.env.json", "**/http-client.env.json.user",
    "**/http-client.private.env.json", "**/.env*", "**/*.env", "**/.httpyac.json",
    "**/.vscode/settings.json", "**/*.code-workspace", "**/postkit.json", "**/*.{js,mjs,cjs}",
    "**/*.{graphql,gql,graphqls}", "**/*.graphql-schema.json", "**/schema.json",
    "**/.graphqlrc*", "**/graphql.config.{json,yaml,yml}",
    "**/{openapi,swagger}*.{json,yaml,yml}", "**/*.openapi.{json,yaml,yml}", "**/api-docs.json",
    "**/postkit-import.json",
  ]

  /// The registration of files: below each folder where the client can do that, so that it watches
  /// nothing else.
  static func files(_ folders: [WorkspaceFolder], _ profile: ClientProfile) -> LSP.Registration {
    var globs = patterns.map(JSONValue.string)
    if profile.watchesRelativePatterns, !folders.isEmpty {
      globs = folders.flatMap { folder in
        patterns.map { pattern -> JSONValue in
          ["baseUri": .string(folder.uri.spelling), "pattern": .string(pattern)]
        }
      }
    }
    return LSP.Registration(
      id: filesID, method: filesMethod,
      registerOptions: .object([
        JSONMember("watchers", .array(globs.map { ["globPattern": $0] }))
      ]))
  }
}

extension ServerState {
  /// Asks to be told of changed files and settings, where the client can do that.
  mutating func register() {
    var registrations: [LSP.Registration] = []
    if client.profile.registersWatchedFiles {
      registrations.append(WatchRegistrations.files(folders, client.profile))
    }
    if client.profile.registersConfiguration {
      registrations.append(
        LSP.Registration(
          id: "postkit.settings", method: LSP.DidChangeConfigurationNotification.method,
          registerOptions: ["section": "postkit"]))
    }
    if !registrations.isEmpty { register(registrations) }
  }

  /// Asks to be told of files in the folders that there are now, where the client watches them
  /// folder by folder.
  mutating func registerFolders() {
    guard client.profile.registersWatchedFiles, client.profile.watchesRelativePatterns else {
      return
    }
    let params = LSP.UnregistrationParams(unregisterations: [
      LSP.Unregistration(id: WatchRegistrations.filesID, method: WatchRegistrations.filesMethod)
    ])
    ask(LSP.UnregistrationRequest.method) { params.encode(to: &$0) }
    register([WatchRegistrations.files(folders, client.profile)])
  }

  /// The loop itself asks, so that this comes behind what takes an earlier registration back.
  private mutating func register(_ registrations: [LSP.Registration]) {
    let (answers, answer) = AsyncStream<RPCError?>.makeStream()
    let id = outgoing.register { result in
      if case .failure(let error) = result { answer.yield(error) }
      answer.finish()
    }
    let params = LSP.RegistrationParams(registrations: registrations)
    reply(
      OutgoingMessage.request(id: id, method: LSP.RegistrationRequest.method) {
        params.encode(to: &$0)
      })
    inFlight.schedule(.callTimedOut(id: id), afterMilliseconds: Limits.clientAnswerMilliseconds)
    inFlight.start(nil) {
      for await case let error? in answers {
        Log.info("The client registered nothing: \(error.message)")
      }
      return nil
    }
  }
}
