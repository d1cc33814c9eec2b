extension Habit {
    /// How a client is built, beside what every one does: it sends requests as they come, refreshes when one is refused,
    /// shares that refresh among all that wait, sends each once more, and drops its session when the refresh is refused.
    enum Trait: String, Sendable, CaseIterable {
        // MARK: When it refreshes

        /// Before a token expires, by the lifetime that the response told.
        case ahead
        /// Before a token expires, by `exp` and the device's clock.
        case exp
        /// Also whenever it is started.
        case atStart = "at-start"

        // MARK: What requests do meanwhile

        /// New requests wait for a refresh that is under way.
        case gate
        /// One call after the other, each with its refresh and repetition.
        case serial
        /// What was refused is sent again one after the other.
        case inOrder = "in-order"

        // MARK: How it sends

        /// Adds a number that counts on to the query of each GET.
        case buster
        /// Adds the time and a random id to each body.
        case stamp
        /// Adds a field with a random id to each request.
        case traced
        /// Sends a GET again, once, whose connection broke.
        case retries
        /// Gives a call up after 300 ms, and the connection with it.
        case impatient
        /// Sends a GET again with `fresh=1` instead of as it was.
        case reloads

        // MARK: What it does when a refresh fails

        /// Leaves the next try to the next call.
        case patient

        // MARK: How often it is there

        case twoDevices = "two-devices"
        case threeDevices = "three-devices"
        /// An app and its extension, with one store and a lock.
        case twoProcesses = "two-processes"
        /// The same with a second extension.
        case threeProcesses = "three-processes"

        // MARK: What is wrong with it

        case neverRefreshes = "never-refreshes"
        case signsOutWhenRefused = "signs-out-when-refused"
        case refreshesOnce = "refreshes-once"
        case unshared
        case loops
        case keepsOldToken = "keeps-old-token"
        case storesNothing = "stores-nothing"
        case storesNoRefreshToken = "stores-no-refresh-token"
        case signsOutWhenLost = "signs-out-when-lost"
        case dropsRefused = "drops-refused"
        case dropsWrites = "drops-writes"
        case dropsBody = "drops-body"
        case repeatsTwice = "repeats-twice"
        case refreshesOnErrors = "refreshes-on-errors"
        case signsOutWhenBusy = "signs-out-when-busy"
        case goesOn = "goes-on"
        case triesAgain = "tries-again"
        case fastClock = "fast-clock"
        case keepsFirstHeader = "keeps-first-header"
        case staleQueue = "stale-queue"
        case bearerOnRefresh = "bearer-on-refresh"
        case ignoresRetryAfter = "ignores-retry-after"
        case tokensElsewhere = "tokens-elsewhere"
        case sendsAccessToRefresh = "sends-access-to-refresh"
        case sendsRefreshToResources = "sends-refresh-to-resources"
        case fallsBackToGuest = "falls-back-to-guest"
        case repeatsLast = "repeats-last"
        case signsOutOnConflict = "signs-out-on-conflict"
        case withoutLock = "without-lock"
        case erasesStore = "erases-store"
        case unreadableIsEmpty = "unreadable-is-empty"
        case longLead = "long-lead"
        case givesUpRefreshing = "gives-up-refreshing"
        case startsUploadAgain = "starts-upload-again"
        case countsFromResponse = "counts-from-response"
        case laterLifetime = "later-lifetime"

        // MARK: What is wrong with how it sends new tokens

        case optionalText = "optional-text"
        case schemeTwice = "scheme-twice"
        case withoutScheme = "without-scheme"
        case undefinedText = "undefined-text"
        case nullText = "null-text"
        case emptyToken = "empty-token"
        case withoutToken = "without-token"
        case cutToken = "cut-token"
        case base64Token = "base64-token"
        case percentToken = "percent-token"
        case undefinedRefresh = "undefined-refresh"
    }
}
