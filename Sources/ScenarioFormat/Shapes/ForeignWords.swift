import Basics

/// Words that other tools and formats have for what this one calls differently.
///
/// Users of another mock server write its words first, and they are too far from ours for a guess by letters.
enum ForeignWords {
    /// The advice for a key that an object does not have; `nil` for a word that no other tool is known to use.
    ///
    /// - Parameters:
    ///   - keys: the keys that the object has.
    ///   - slip: the key that the word is a misspelling of, if it is one; only what it begins with counts.
    static func advice(for word: String, among keys: [String], unless slip: String?) -> String? {
        if let slip, slip.hasPrefix(word) || word.hasPrefix(slip), !word.isEmpty { return nil }
        let plain = String(decoding: word.lowercased().utf8.filter { !"-_ .".utf8.contains($0) }, as: UTF8.self)
        let own = (meanings[plain] ?? []).filter { keys.contains($0.exact) }.prefix(3)
        if !own.isEmpty { return "the key is called \(own.map { "\"\($0)\"" }.joined(lastBy: "or"))" }
        guard wrappers.contains(plain), keys.contains("status" as ExactText) else { return nil }
        return "write the response keys directly here, such as \"status\", \"headers\" or \"json\""
    }

    /// The word to write instead of a value, where only certain words are allowed.
    static func value(for word: String, among words: [String]) -> String? {
        let plain = String(decoding: word.lowercased().utf8.filter { !"-_ .".utf8.contains($0) }, as: UTF8.self)
        return values.first { words.contains($0.key.exact) && $0.value.contains(plain) }?.key
    }

    /// By the word of this format: values of other tools' faults, in small letters alone.
    private static let values: KeyValuePairs<String, [String]> = [
        "reset": [
            "connectionresetbypeer", "connectionreset", "econnreset", "disconnect", "close", "closed", "abort",
            "dropconnection",
        ],
        "empty": ["emptyresponse", "noresponse", "emptyreply"],
        "never": ["timeout", "timedout", "hang", "hanging", "stall", "infinite", "forever", "noanswer", "etimedout"],
        "malformedChunk": ["malformedresponsechunk"],
        "garbage": ["randomdatathenclose", "random", "corrupt", "invalid"],
        "truncated": ["cut", "partial", "incomplete", "short"],
        "lost": ["lostresponse", "networkconnectionlost", "connectionlost", "drop", "dropped"],
    ]

    /// Objects that contain a response in other tools.
    private static let wrappers: Set<String> = [
        "response", "reply", "respond", "answer", "return", "returns", "result", "output", "res",
    ]

    /// By the word in small letters alone: the keys that may be meant, the likeliest first.
    private static let meanings: [String: [String]] = {
        let rows: [(ours: [String], theirs: [String])] = [
            (
                ["latency"],
                [
                    "delay", "delayms", "delaymilliseconds", "fixeddelay", "fixeddelaymilliseconds", "wait", "sleep",
                    "pause",
                ]
            ),
            (
                ["json", "text", "fixture"],
                ["body", "data", "content", "payload", "jsonbody", "responsebody", "example"]
            ),
            (["fixture", "file"], ["bodyfilename", "bodyfile", "filepath", "filename", "jsonfile", "sendfile"]),
            (["text"], ["html", "xml", "plain", "raw", "string"]),
            (["status"], ["statuscode", "code", "httpstatus", "httpstatuscode", "responsecode"]),
            (["headers", "header"], ["responseheaders", "requestheaders", "headerfields"]),
            (
                ["when"],
                ["request", "match", "matches", "matcher", "condition", "conditions", "rules", "predicates", "if"]
            ),
            (
                ["requires"],
                ["auth", "security", "authorization", "authentication", "authenticated", "secured", "token"]
            ),
            (["lifetime"], ["ttl", "expiresin", "expires", "expiry", "expiration", "validfor", "maxage"]),
            (["in"], ["carrier", "location", "from", "place"]),
            (["rotate"], ["rotation", "rotating", "singleuse"]),
            (["responses"], ["sequence", "replies", "answers"]),
            (["cases"], ["rules", "matchers", "branches", "variants", "switch", "mappings"]),
            (
                ["routes"],
                ["endpoints", "paths", "stubs", "mappings", "handlers", "mocks", "interactions", "resources"]
            ),
            (["accounts"], ["users", "members", "people", "logins"]),
            (["collections"], ["db", "database", "databases", "stores", "storage", "tables", "models"]),
            (["backend"], ["server", "name", "service", "app", "api"]),
            (["guards"], ["middleware", "middlewares", "filters", "interceptors"]),
            (["unmatched"], ["notfound", "fallback", "catchall", "proxy"]),
            (["wrongMethod"], ["methodnotallowed"]),
            (["origins"], ["hosts", "servers"]),
            (["query"], ["params", "queryparams", "queryparameters", "querystring", "search"]),
            (["form"], ["formdata", "urlencoded", "formparams", "formparameters"]),
            (["cookie", "cookies"], ["cookies", "setcookie", "setcookies"]),
            (["body"], ["json", "bodypatterns", "jsonbody", "jsonpath", "requestbody"]),
            (["fault"], ["error", "failure", "chaos", "networkerror"]),
            (["bandwidth"], ["throttle", "speed", "ratelimit"]),
            (["then"], ["effects", "actions", "sideeffects", "after", "postserveactions", "callbacks"]),
            (["extends"], ["base", "inherits", "parent", "include", "includes", "import"]),
            (["contract"], ["openapi", "spec", "swagger", "schema"]),
            (["given"], ["setup", "before", "arrange", "background"]),
            (["expect"], ["expectations", "asserts", "assertions", "verify"]),
            (["timeline"], ["schedule", "events", "steps"]),
            (["count"], ["times", "calls", "called", "exactly", "atleast", "atmost", "hits", "invocations"]),
            (["request"], ["url", "path", "urlpath", "endpoint", "method", "operation"]),
            (["title"], ["name", "summary"]),
            (["about"], ["description", "details"]),
        ]
        var meanings: [String: [String]] = [:]
        for row in rows {
            for word in row.theirs { meanings[word, default: []] += row.ours }
        }
        return meanings
    }()
}
