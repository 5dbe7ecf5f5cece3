// Which token a place of a document means, and what the store knows of it. Nothing is sent and no
// secret is read (AU-44, AU-52).

import LanguageServerProtocol
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitText

/// A token that a place of a document means.
struct MeantToken: Sendable {
  /// Where it is named, and how it is got.
  let place: TokenPlaceInFile
  /// The environment whose token it is.
  let environment: String?
  /// Whose it is among those that are kept.
  let owner: TokenOwner
}

extension Snapshot {
  /// The token that a reference or a header at an offset means.
  func token(
    at offset: Int, _ analysis: Analysis, _ context: DocumentContext
  ) -> MeantToken? {
    analysis.token(at: offset).map { meant($0, context.environment, context) }
  }

  /// The token that a client of an environment file means whose name stands at an offset.
  func token(
    at offset: Int, _ file: EnvironmentDocument, _ context: DocumentContext
  ) -> MeantToken? {
    let world = context.workspace.analysisContext(environment: nil) { _ in nil }
    let sets = allEnvironments(around: context)
    return file.token(at: offset, in: sets, world, context.dialect).map {
      meant($0.place, $0.environment, context)
    }
  }

  private func meant(
    _ place: TokenPlaceInFile, _ environment: String?, _ context: DocumentContext
  ) -> MeantToken {
    let path = context.document.uri.path.map(FilePath.normalise) ?? context.document.uri.spelling
    let owner = TokenPlace(
      folder: context.workspace.root, environment: environment, file: path)
    return MeantToken(
      place: place, environment: environment,
      owner: TokenOwner(place.configuration, at: owner))
  }

  /// What the store knows of a token; `nil` where it has none, or can't be asked at once.
  func facts(of token: MeantToken) async -> TokenFacts? {
    guard let store = await store.atHand() else { return nil }
    let key = token.owner.key
    let found = await Waiting.value(within: Limits.describedReadMilliseconds) {
      // What can't be read is as good as not there; the store's own messages tell of it.
      try? await store.tokenFacts(key)
    }
    return found ?? nil
  }

  /// What a hover shows of a token.
  func card(of token: MeantToken, _ links: [HoverLink]) async -> Hover {
    let facts = await facts(of: token)
    let now = Clock.wallMilliseconds
    let kept = facts.map {
      KeptToken(
        subject: $0.subject, acquired: $0.acquired, expires: $0.expires,
        isRefreshable: $0.isRefreshable, isRefused: $0.state == .refused)
    }
    var card = TokenCard(token.place.configuration, kept: kept, now: now) { time in
      Moment.date(time) == Moment.date(now) ? Moment.clock(time) : Moment.local(time)
    }
    card.links = kept == nil ? Array(links.prefix(1)) : links
    return Hover(range: token.place.range, markdown: card.markdown)
  }
}
