import ScenarioFormat
import Testing

/// A block of a script in one run of its story: what a single case of the suite plays.
struct ScriptedPlay: Sendable, CustomTestStringConvertible {
    /// Such as `whipit/WI-03`.
    var story: String
    var variant: String?
    var content: Result<(script: Script, block: ScriptBlock), ScriptError>

    var testDescription: String {
        let run = variant.map { "\(story)/\($0)" } ?? story
        guard case .success(let (_, block)) = content else { return run }
        return "\(run) \(block.title)"
    }

    /// Every one of a cache, in the order of the files; a script that cannot be read is one that fails.
    static func all(in cache: ScriptCache) -> [ScriptedPlay] {
        cache.scripts.flatMap { file -> [ScriptedPlay] in
            switch file.script {
            case .failure(let error): return [ScriptedPlay(story: file.name, content: .failure(error))]
            case .success(let script):
                return script.blocks.flatMap { block in
                    (block.variants.isEmpty ? [nil] : block.variants.map(Optional.some)).map { variant in
                        ScriptedPlay(story: file.name, variant: variant, content: .success((script, block)))
                    }
                }
            }
        }
    }

    func complaints(in cache: ScriptCache) -> [String] {
        do {
            let (script, block) = try content.get()
            guard let story = cache.story(story) else {
                return ["\(script.file):1: there is no story \(self.story) that it could play"]
            }
            let runs: [StoryRun]
            do {
                runs = try cache.runs.runs(of: story.heading.file)
            } catch {
                return ["\(script.file): the story cannot be loaded: \(error.gist)"]
            }
            guard let run = runs.run(of: variant) else {
                return ["\(script.file):\(block.line): the story does not define the variant \"\(variant ?? "")\""]
            }
            return Trial(script: script, block: block, run: run).complaints()
        } catch {
            return ["\(error)"]
        }
    }
}
