// Bodies of responses as files of the user's own.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitSupport

/// `postkit.saveResponse`.
enum SaveResponse {
  /// Writes the body of a response to a file, as it was received, with masks for secrets.
  static func save(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> LSP.PostkitSaveResponseResult {
    let meant = try ExecuteCommand.decode(argument, or: LSP.PostkitSaveResponseArguments())
    let exchange = try await ExecuteCommand.exchange(snapshot, meant.id, nil, nil)
    let response = try SendResults.response(of: exchange)
    let path: String
    if let given = meant.path {
      guard FilePath.isAbsolute(given) else {
        throw RPCError(.invalidParams, "params.arguments[0].path: expected an absolute path.")
      }
      path = FilePath.normalise(given)
    } else {
      path = try await ask(snapshot, exchange, response)
    }
    if meant.overwrite != true, FileSystem.exists(path) || FileSystem.isLink(path) {
      throw RPCError(
        .requestFailed,
        "\(path) already exists. Choose another name, or overwrite it (`overwrite`).")
    }
    do throws(FileFailure) {
      switch response.body {
      case .bytes(let bytes): try FileSystem.writeAtomically(bytes, to: path)
      case .file(let source, _): try FileSystem.copyAtomically(source, to: path)
      }
    } catch {
      throw RPCError(.requestFailed, "The response was not saved. \(error)")
    }
    let masks = exchange.isRedacted ? " Secrets in it are masked." : ""
    let summary = "Saved \(SizeText.text(response.body.count)) to \(path).\(masks)"
    if snapshot.client.profile.postkit == nil { snapshot.client.showMessage(.info, summary) }
    return LSP.PostkitSaveResponseResult(
      path: path, size: Double(response.body.count),
      redacted: exchange.isRedacted ? true : nil, summary: summary)
  }

  /// Asks the user where to: for a path where the client has fields for texts, else whether it is
  /// to be the path that is proposed.
  private static func ask(
    _ snapshot: Snapshot, _ exchange: Exchange, _ response: Response
  ) async throws(RPCError) -> String {
    let proposal = proposal(snapshot, exchange, response)
    let nothing = RPCError(
      .requestCancelled, "The response was not saved: you chose no file.")
    if snapshot.client.profile.postkit?.input == true {
      let answer = try await UserQuestions.text(snapshot.client, "Save the response as", proposal)
      guard let text = answer, !text.isEmpty else { throw nothing }
      let path = FilePath.expandTilde(text, home: FileSystem.homeDirectory)
      return FilePath.normalise(
        FilePath.isAbsolute(path) ? path : FilePath.join(FilePath.parent(proposal), path))
    }
    let question = "Save the \(response.body.count) bytes of the response to \(proposal)?"
    switch await UserQuestions.choose(snapshot.client, question, ["Save", "Cancel"]) {
    case .button(0): return proposal
    case .button, .nothing: throw nothing
    case .cannotAsk:
      throw RPCError(
        .requestFailed,
        "This editor can't ask where to save the response. Give `postkit.saveResponse` a `path`, "
          + "or use `postkit history show \(exchange.id) --body > FILE`.")
    }
  }

  /// A path in the workspace folder that is not taken.
  private static func proposal(
    _ snapshot: Snapshot, _ exchange: Exchange, _ response: Response
  ) -> String {
    let folder =
      (exchange.file.hasPrefix("/") ? snapshot.folder(of: DocumentURI(path: exchange.file)) : nil)
      ?? snapshot.folders.first?.uri.path.map(FilePath.normalise) ?? FileSystem.homeDirectory
    let type = response.headers.mediaType
    let name = SaveResponse.name(exchange)
    let ending = type?.fileExtension ?? "bin"
    var path = FilePath.join(folder, "\(name).\(ending)")
    var count = 2
    while FileSystem.exists(path) || FileSystem.isLink(path) {
      path = FilePath.join(folder, "\(name)-\(count).\(ending)")
      count += 1
    }
    return path
  }

  /// The name of a request as one of a file: what a server says of names counts for nothing.
  private static func name(_ exchange: Exchange) -> String {
    let words = exchange.requestName ?? ""
    let safe = words.lowercased().unicodeScalars.map { scalar -> Character in
      let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
      return isPlain ? Character(scalar) : "-"
    }
    let name = String(String(safe).split(separator: "-").joined(separator: "-").prefix(60))
    return name.isEmpty ? "response" : name
  }
}
