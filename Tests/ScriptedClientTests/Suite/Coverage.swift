import ScenarioFormat

/// Which of a story's runs have a scripted client.
struct Coverage {
    /// What is missing, each as a sentence.
    private(set) var complaints: [String] = []

    init(of file: ScriptCache.StoryFile, in cache: ScriptCache) {
        let name = file.name
        guard let scriptFile = cache.scripts.first(where: { $0.name == name }) else {
            complaints = ["\(name) has no script; write Tests/ScriptedClientTests/Scripts/\(name).script"]
            return
        }
        // A script that cannot be read is told where it is played.
        guard let script = try? scriptFile.script.get() else { return }
        do {
            var reproduces: [String] = []
            for run in try cache.runs.runs(of: file.heading.file) {
                let variant = run.loaded.variant
                reproduces += run.loaded.scenario.story?.reproduces ?? []
                guard variant != nil || run.expectsSomething || file.heading.variants.isEmpty else { continue }
                let hasGood = script.blocks.contains { $0.role == .good && $0.plays(variant) }
                if !hasGood {
                    complaints.append("\(script.file) has no good client for \(variant ?? "the story itself")")
                }
            }
            let hasBug = script.blocks.contains { $0.role != .good }
            if let bug = reproduces.first, !hasBug {
                complaints.append("\(script.file) has no client with the bug \(bug), which the story reproduces")
            }
        } catch {
            complaints.append("\(name) cannot be loaded: \(error.gist)")
        }
    }
}

extension ScriptBlock {
    /// Whether it plays a variant, or the story itself.
    fileprivate func plays(_ variant: String?) -> Bool {
        variant.map { variants.contains($0) } ?? variants.isEmpty
    }
}
