import Foundation

/// jsonschema-rs, a validator that is written in Rust and called from Python, where both are installed.
///
/// It judges values that are parsed already, as the compiled schemas here do.
struct SchemaRival {
    /// Nanoseconds for a value that is parsed already.
    var validating: Double
    /// Nanoseconds for text, with the parser that Python has.
    var parsing: Double

    /// - Returns: nil when it is not installed.
    init?(schema: String, instance: String, rounds: Int) throws {
        guard let python = ChildProcess.find("python3") else { return nil }
        let folder = try ScratchFolder()
        let arguments = [
            "-c", Self.program, try folder.write("schema.json", schema), try folder.write("instance.json", instance),
            "\(rounds)",
        ]
        let output = try ChildProcess(python, arguments, readsOutput: true).wholeOutput()
        let figures = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard figures.count == 2 else { return nil }
        validating = figures[0]
        parsing = figures[1]
    }

    private static let program = """
        import json, sys, time
        import jsonschema_rs
        text = open(sys.argv[2], encoding="utf-8").read()
        rounds = int(sys.argv[3])
        validator = jsonschema_rs.validator_for(json.load(open(sys.argv[1], encoding="utf-8")))
        value = json.loads(text)
        assert validator.is_valid(value)
        def cost(work):
            figures = []
            for _ in range(9):
                start = time.perf_counter()
                for _ in range(rounds):
                    work()
                figures.append((time.perf_counter() - start) / rounds * 1e9)
            return sorted(figures)[4]
        print(cost(lambda: validator.is_valid(value)), cost(lambda: validator.is_valid(json.loads(text))))
        """
}
