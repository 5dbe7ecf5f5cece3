// The answers of users: the last one is offered again, and some last for the session (PK-54).

import PostKitEvaluate
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport

/// Answers to the questions of requests, by workspace folder.
enum PromptAnswers {
  /// The answer to a question: the one of this session where it is asked for once, else what the
  /// user says now. What is no secret is kept, to be offered the next time.
  static func value(
    _ snapshot: Snapshot, _ folder: String, _ prompt: Prompt
  ) async -> PromptAnswer {
    if prompt.asksOnce, let kept = snapshot.session.memory.answer(prompt.name, folder: folder) {
      return .given(kept)
    }
    var question = prompt
    if !prompt.isSecret, let last = await last(snapshot, folder, prompt.name) {
      question.proposal = last
    }
    let said = await UserQuestions.value(snapshot.client, question)
    guard case .given(let answer) = said else { return said }
    if prompt.asksOnce {
      snapshot.session.update { $0.memory.keep(answer, for: prompt.name, folder: folder) }
    }
    if !prompt.isSecret { await keep(snapshot, folder, prompt.name, answer) }
    return said
  }

  private static func last(
    _ snapshot: Snapshot, _ folder: String, _ name: String
  ) async -> String? {
    guard let store = await snapshot.store.existing() else { return nil }
    do throws(StoreFailure) {
      return try await store.sessionValue(SessionKey.answer(name).text, folder: folder)
    } catch {
      Log.warning("The last answer can't be read: \(error.message)")
      return nil
    }
  }

  private static func keep(
    _ snapshot: Snapshot, _ folder: String, _ name: String, _ answer: String
  ) async {
    let change = SessionChange.answer(answer, to: name, folder: folder)
    _ = await snapshot.store.keep(change, "The answer is not kept")
  }
}
