// `postkit.copyAs` and `postkit.copyAsCurl`: the request at a place for other programs.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitSyntax
import PostKitTransfer

/// The handler of the commands that copy.
enum CopyAs {
  /// `postkit.copyAsCurl`: the request as a curl line.
  static func asCurl(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    guard let argument else {
      return try await copy(snapshot, atCaret(snapshot), .copyAsCurl, .curl)
    }
    let copy = try ExecuteCommand.decode(LSP.PostkitCopyAsCurlArguments.self, argument)
    let order = SendOrder(
      uri: copy.uri, position: copy.position, name: copy.name, environment: copy.environment)
    return try await self.copy(snapshot, order, .copyAsCurl, .curl)
  }

  /// `postkit.copyAs`: the request for the target that is named, curl where none is.
  static func copy(
    _ snapshot: Snapshot, _ argument: JSONValue?
  ) async throws(RPCError) -> JSONValue {
    guard let argument else { return try await copy(snapshot, atCaret(snapshot), .copyAs, .curl) }
    let copy = try ExecuteCommand.decode(LSP.PostkitCopyAsArguments.self, argument)
    guard let target = CopyTarget(rawValue: copy.target) else {
      throw RPCError(
        .invalidParams,
        "arguments[0].target: there is no target `\(copy.target)`. Use \(CopyTarget.list).")
    }
    guard let uri = copy.uri else {
      return try await self.copy(
        snapshot, atCaret(snapshot), .copyAs, target, reveals: copy.reveal ?? false)
    }
    let order = SendOrder(
      uri: uri, position: copy.position, name: copy.name, environment: copy.environment)
    return try await self.copy(
      snapshot, order, .copyAs, target, reveals: copy.reveal ?? false)
  }

  private static func atCaret(_ snapshot: Snapshot) throws(RPCError) -> SendOrder {
    let caret = try ExecuteCommand.caret(snapshot)
    return SendOrder(uri: caret.uri, position: caret.position)
  }

  /// The request with true values, as it is to be run; code reads secrets from its environment
  /// unless it `reveals` them. True values are shown nowhere: a client that does nothing with the
  /// answer is shown the text with masks.
  private static func copy(
    _ snapshot: Snapshot, _ order: SendOrder, _ command: CommandID, _ target: CopyTarget,
    reveals: Bool = false
  ) async throws(RPCError) -> JSONValue {
    let context = await snapshot.context(
      of: try await snapshot.sendable(order.uri), environment: order.environment)
    let block = try SendRequests.block(snapshot, context, order)
    let sent: DocumentContext
    do throws(StoreFailure) { sent = try await context.withSecrets(snapshot) } catch {
      throw RPCError(.requestFailed, error.message)
    }
    let analysis = await snapshot.analysis(of: sent, withResults: false)
    let lowered = analysis.lowered(block)
    guard let spec = lowered.spec else {
      let problem = lowered.failure
      throw NotBuilt(context: context, snapshot: snapshot, block: block).error(
        Failure(
          problem?.code ?? .internal, problem?.message ?? "The request ended without a result."),
        lowered.problems)
    }
    let hides = target.readsSecrets && !reveals
    let secrets = CopySecret.all(
      of: lowered, and: analysis.context.exchangeSecrets, at: block.range.lowerBound,
      analysis.context, analysis.scope)
    let result =
      hides ? target.text(for: spec, reading: secrets) : target.text(for: spec)
    if snapshot.client.profile.postkit == nil {
      let mask = SecretMask(
        secrets: Array(lowered.secrets.union(analysis.context.exchangeSecrets)))
      // Before it is written, for escapes would hide a secret, and after, for what is left.
      let text = mask.mask(hides ? result : target.text(for: spec.masked(by: mask))).text
      let remark = "This text masks secrets; the result of `\(command.rawValue)` has their values."
      let head = hides ? "" : "\(target.commentMark) \(remark)\n"
      await show(snapshot, "\(head)\(text)\n", fileExtension: target.fileExtension)
    }
    return .string(result)
  }

  /// Opens a text that is to be copied, without secrets.
  static func show(_ snapshot: Snapshot, _ text: String, fileExtension: String) async {
    let id = Identifier.next()
    guard snapshot.client.profile.readsContentDocuments else {
      if let uri = await snapshot.viewFile(text, as: "\(id)-copied.\(fileExtension)")
      {
        SendResults.open(snapshot, uri, takesFocus: true)
      }
      return
    }
    snapshot.session.update { $0.copies.keep(text, id: id) }
    SendResults.open(snapshot, "postkit:/copied/\(id).\(fileExtension)", takesFocus: true)
  }
}

extension RequestSpec {
  /// The request without the secrets of its head, its body and its credentials.
  fileprivate func masked(by mask: SecretMask) -> RequestSpec {
    var copy = self
    copy.headers = mask.maskHeaders(headers).headers
    copy.url = mask.maskURL(url).text
    let type = headers.first("Content-Type")
    copy.body = body.map { chunk in
      guard case .bytes(let bytes) = chunk else { return chunk }
      return .bytes(mask.maskBody(bytes, contentType: type).bytes)
    }
    copy.options.authentication = options.authentication.map { $0.masked }
    if options.clientKeyPassphrase != nil { copy.options.clientKeyPassphrase = SecretMask.text }
    copy.options.proxy = options.proxy.map { mask.maskURL($0).text }
    return copy
  }
}

extension Authentication {
  /// The same scheme without its credentials, which are masked whatever they are.
  fileprivate var masked: Authentication {
    switch self {
    case .digest(let user, _): .digest(user: user, password: SecretMask.text)
    case .ntlm(let user, _): .ntlm(user: user, password: SecretMask.text)
    case .negotiate(let user, _): .negotiate(user: user, password: SecretMask.text)
    case .signature(let key):
      .signature(
        AWSSignature(
          accessKey: key.accessKey, secret: SecretMask.text, region: key.region,
          service: key.service))
    }
  }
}
