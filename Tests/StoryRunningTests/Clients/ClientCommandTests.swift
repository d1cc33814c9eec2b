import TestSupport
import Testing

@testable import StoryRunning

@Suite
struct `A client's command` {
    @Test(arguments: [
        ("{url}", "URL"), ("--base={url}/api", "--base=URL/api"), ("{story}{admin}", "STORYADMIN"), ("{", "{"),
        ("{{url}}", "{URL}"), ("{URL}", "{URL}"), ("", ""), ("{url", "{url"), ("ü{url}é", "üURLé"),
    ])
    func `has its placeholders replaced`(word: String, expected: String) {
        let command = ClientCommand(["program", word])
        #expect(command.words { $0.rawValue.uppercased() } == ["program", expected])
    }

    @Test func `does not replace what a value brings along`() {
        #expect(ClientCommand(["{story}"]).words { _ in "{url}" } == ["{url}"])
    }

    @Test(arguments: [
        (["sh", "-c", "echo $HOME"], "sh -c 'echo $HOME'"), (["a b", "it's"], #"'a b' 'it'\''s'"#), ([""], "''"),
        (["--name=x", "./run.sh"], "--name=x ./run.sh"), (["한글"], "'한글'"),
    ])
    func `can be typed into a shell`(words: [String], line: String) {
        #expect(ClientCommand(words).shellLine == line)
    }

    @Test func `is looked for before anything is played`() throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "notes.txt")
        func sentence(_ program: String) -> String? {
            ClientCommand([program]).problem(searching: "/nowhere:\(folder.path)")?.sentence
        }
        #expect(sentence("surely-not-there") == "the folders in PATH contain no command \"surely-not-there\"")
        #expect(sentence("notes.txt") == "the folders in PATH contain no command \"notes.txt\"")
        #expect(sentence("/no/such/file") == "there is no file \"/no/such/file\"")
        #expect(sentence("\(folder.path)/notes.txt") == "\"\(folder.path)/notes.txt\" is not executable")
        #expect(sentence(folder.path) == "\"\(folder.path)\" is a folder, not a command")
    }

    @Test(.enabled(if: Programs.hasShell, "there is no /bin/sh here"))
    func `is found by its path or in the folders in PATH`() {
        #expect(ClientCommand(["/bin/sh"]).problem(searching: nil) == nil)
        #expect(ClientCommand(["sh"]).problem(searching: "/nowhere:/bin") == nil)
        #expect(ClientCommand(["sh"]).problem(searching: nil) != nil)
    }
}
