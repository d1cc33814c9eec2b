import Basics

/// Programs that machines have, and that a test may do without.
enum Programs {
    static let hasShell = exists("/bin/sh")
    static let hasCurl = exists("/usr/bin/curl")
    static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"].first(where: exists)

    private static func exists(_ path: String) -> Bool { DiskFiles().resolve(path) != nil }
}
