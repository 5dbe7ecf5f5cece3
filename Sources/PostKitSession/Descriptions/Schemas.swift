// The owner of the GraphQL schemas that were read: each is read once, when something asks for it,
// and again when its files change or its service is asked anew.

package import PostKitLanguage
package import PostKitRunner
import PostKitSupport

/// What came of reading a schema.
package struct SchemaReading: Sendable {
  /// The schema; `nil` where nothing could be read.
  package var schema: ServiceSchema?
  /// What is wrong with it, in sentences.
  package var failures: [DescriptionFailure] = []
}

/// Reads schemas on threads that nobody types on, and keeps the last few.
package actor Schemas {
  private var known: [(revision: String, reading: SchemaReading)] = []
  private var loading: [String: Task<SchemaReading, Never>] = [:]
  /// How often something was asked.
  private var questions = 0

  /// How many schemas are kept.
  private static let limit = 4
  /// After how long without a question all are forgotten.
  private static let keptMicroseconds: Int64 = 60_000_000

  /// Nothing was read.
  package init() {}

  /// A schema by what tells it from others, read where it isn't known; `nil` where that takes
  /// longer than so many milliseconds, which it goes on to do.
  package func reading(
    _ revision: String, within milliseconds: Int?,
    read: @escaping @Sendable () async -> SchemaReading
  ) async -> SchemaReading? {
    questions += 1
    if let index = known.firstIndex(where: { $0.revision == revision }) {
      let found = known.remove(at: index)
      known.append(found)
      return found.reading
    }
    let task = loading[revision] ?? load(revision, read)
    guard let milliseconds else { return await task.value }
    return await Waiting.value(within: milliseconds) { await task.value }
  }

  /// Forgets all after a minute without a question.
  private func forgetLater() {
    let seen = questions
    _ = Alarm.shared.schedule(afterMicroseconds: Self.keptMicroseconds) {
      // Unstructured on purpose: nobody waits for it.
      Task(executorPreference: WorkerPool.acting) { await self.forget(unlessAskedSince: seen) }
    }
  }

  private func forget(unlessAskedSince seen: Int) {
    if questions == seen {
      known = []
    } else if !known.isEmpty {
      forgetLater()
    }
  }

  private func load(
    _ revision: String, _ read: @escaping @Sendable () async -> SchemaReading
  ) -> Task<SchemaReading, Never> {
    // Unstructured on purpose: it goes on when whoever asked has given up.
    let task = Task(executorPreference: WorkerPool.acting) {
      let reading = await read()
      await self.keep(revision, reading)
      return reading
    }
    loading[revision] = task
    return task
  }

  private func keep(_ revision: String, _ reading: SchemaReading) {
    loading[revision] = nil
    if known.isEmpty { forgetLater() }
    known.append((revision, reading))
    if known.count > Self.limit { known.removeFirst() }
  }
}
