// Every numeric limit of the program, named, with its reason.

/// The limits of the program; exceeding one is an ordinary, worded outcome.
package enum Limits {
  /// Bytes of one LSP message (PROMISES.md F4).
  package static let messageBytes = 64 << 20
  /// Bytes of the header block of one LSP message (PROMISES.md F3).
  package static let messageHeaderBytes = 8 << 10
  /// Bytes of an LSP message that are read and thrown away; a longer one ends the session (F4).
  package static let discardedMessageBytes = 1 << 30
  /// Bytes of garbage that are searched for the next LSP message (PROMISES.md F5).
  package static let garbageBytes = 64 << 10
  /// Time to find the next LSP message after garbage, in milliseconds (PROMISES.md F5).
  package static let garbageMilliseconds = 1_000
  /// LSP messages that are read before the ones before them are taken up.
  package static let incomingMessages = 4_096
  /// Requests for the same of one document that are worked on; more of them give up the oldest
  /// (PROMISES.md Q10).
  package static let equalQuestions = 4
  /// Bytes of a document up to which a request about all of it is worked on beside any other.
  package static let pooledWholeBytes = 256 << 10
  /// Bytes of a document up to which a request about one place of it is.
  package static let pooledDocumentBytes = 3 << 20
  /// Time after which a request about a document is given up, in milliseconds (R5); a build
  /// without optimisation takes some ten times as long.
  #if DEBUG
    package static let answerMilliseconds = 20_000
  #else
    package static let answerMilliseconds = 2_000
  #endif
  /// Time that a client has to answer a request of ours, in milliseconds (PROMISES.md Q12).
  package static let clientAnswerMilliseconds = 10_000
  /// Time that a send waits for the settings of the editor, in milliseconds.
  package static let settingsMilliseconds = 1_000
  /// Time that a send waits for a change before it while none ends, in milliseconds: longer than a
  /// change waits for another process.
  package static let turnMilliseconds = 10_000
  /// Time that a person has to answer a question of a send with a button, in milliseconds; a client
  /// may have lost the question, and the send can be repeated.
  package static let questionMilliseconds = 120_000
  /// Time after which progress is shown, in milliseconds (PROMISES.md Q13).
  package static let progressDelayMilliseconds = 150
  /// Time between two requests to the client to ask again, in milliseconds.
  package static let refreshMilliseconds = 250
  /// Time that what is shown while somebody types waits for the store to be opened, in
  /// milliseconds.
  package static let storeGlanceMilliseconds = 300
  /// Time that an answer waits for its exchange to be recorded, in milliseconds.
  package static let storeAnswerMilliseconds = 1_000
  /// Time that an answer waits longer for an exchange that is being written into a file, because
  /// the history can't be had, in milliseconds.
  package static let storeFilingMilliseconds = 2_000
  /// Time without work after which free memory is given back to the system, in milliseconds.
  package static let restMilliseconds = 1_000
  /// Free bytes of the heap that are kept for what comes next.
  package static let freeHeapBytes = 4 << 20
  /// Time between two looks whether another process still holds the store, in milliseconds.
  package static let storePollMilliseconds = 10
  /// Time that a queued write waits on the store's thread for another process, in milliseconds.
  package static let storeTurnMilliseconds = 100
  /// Time for which nobody waits again for a store that another process held, in milliseconds.
  package static let storeRetryMilliseconds = 5_000
  /// Time after which what could not be recorded is given up, in milliseconds.
  package static let storeInsistMilliseconds = 60_000
  /// What scripts print in the log of a client that shows it nowhere else: lines in a second, and
  /// the time for which they are gathered, in milliseconds.
  package static let printedLinesPerSecond = 200
  package static let printedMilliseconds = 100
  /// Bytes of scripts whose checks are remembered.
  package static let checkedScriptBytes = 4 << 20
  /// Files that are kept for editors to show responses (CONTRACTS.md, section 4).
  package static let keptViews = 100
  /// Such files that are written until there is another look for those that are too many.
  package static let viewsBetweenLooks = 16
  /// Bytes waiting for the client above which log messages are dropped (PROMISES.md F13).
  package static let droppingQueueBytes = 1 << 20
  /// Bytes waiting for the client above which no further answer is worked out; below those of
  /// `droppingQueueBytes` that goes on (PROMISES.md F13).
  package static let crowdedQueueBytes = 8 << 20
  /// Answers that are worked out at once on the threads of the concurrency pool; together they must
  /// stay below `outgoingQueueBytes`.
  package static let answersAtOnce = 16
  /// Threads on which sends are prepared and what comes of them is kept; one that hangs in a file
  /// system leaves others.
  package static let actingThreads = 4
  /// Requests that wait for a client to read; where there are more, no further ones are read.
  package static let waitingRequests = 16_384
  /// Bytes queued for a client that has stopped reading (PROMISES.md F13).
  package static let outgoingQueueBytes = 64 << 20
  /// Bytes of a document that are analysed; above, only symbols are shown (PROMISES.md D11).
  package static let analysedDocumentBytes = 10 << 20
  /// Bytes of a `.http`, environment or dotenv file that is read (R5).
  package static let sourceFileBytes = 32 << 20
  /// Bytes of a file that is imported from another tool, and of the files of a folder together
  /// (IO-5).
  package static let importFileBytes = 256 << 20
  /// Files whose names are kept at once: some kilobytes each.
  package static let indexedFiles = 5_000
  /// Names of files and folders that are looked at in search of them.
  package static let indexedNames = 200_000
  /// How deep folders are looked through for them.
  package static let indexedDepth = 32
  /// Bytes of a file that is sent, as far as the references in it are looked for.
  package static let templateIndexBytes = 1 << 20
  /// Bytes of the interim heads, the head and the trailers of one response together; libcurl takes
  /// as many of a head alone.
  package static let headBytes = 300 << 10
  /// Bytes of a response body held in memory; more is written to a file.
  package static let responseMemoryBytes = 1 << 20
  /// Bytes of a response body held in memory where no file can be written: it is shown all the
  /// same.
  package static let unspooledBodyBytes = 64 << 20
  /// Time between two looks for commands where nothing can wake the thread that sends, in
  /// milliseconds.
  package static let sendPollMilliseconds: Int32 = 20
  /// Bytes of a body that are told of while it arrives.
  package static let toldBodyBytes = 1 << 20
  /// Bytes of a body that are told in one message.
  package static let toldPieceBytes = 64 << 10
  /// Time between two messages that tell of a body, in milliseconds.
  package static let toldPieceMilliseconds = 50
  /// Bytes of a body that are shown in an editor.
  package static let viewBodyBytes = 1 << 20
  /// Bytes of a body kept inside the database; more is a file beside it.
  package static let inlineBodyBytes = 64 << 10
  /// Bytes of a body that history keeps unless the user says otherwise (CONTRACTS.md, section 3).
  package static let keptBodyBytes = 64 << 20
  /// Bytes that the history keeps of what the scripts of an exchange have printed.
  package static let keptOutputBytes = 64 << 10
  /// Bytes of a response body of which a hover shows the beginning.
  package static let hoverBodyBytes = 64 << 10
  /// Environments whose values a hover lists beside the one in force.
  package static let environmentsShown = 20
  /// Items in one completion reply.
  package static let completionItems = 200
  /// Time that a completion waits for what it needs of the history, in milliseconds.
  package static let completionReadMilliseconds = 50
  /// Time that hovers and diagnostics wait for a description or a schema, in milliseconds; they
  /// come without it then.
  package static let describedReadMilliseconds = 300
  /// Entries of a folder that a completion looks at.
  package static let completionFolderEntries = 2_000
  /// Diagnostics of one file.
  package static let diagnosticsPerFile = 1_000
  /// How many warnings of one request are written into the log of an editor.
  package static let warningsLogged = 20
  /// Time to flush at shutdown, in milliseconds (PROMISES.md L8).
  package static let shutdownMilliseconds = 500
}
