extension DiagramComposer {
    mutating func addMark(_ mark: StoryDiagram.Mark) {
        showTime(mark.time)
        let top = y
        y += 3
        addLine(.mark, mark.words)
        y += 2
        layout.rules.append(top + 1)
        axis.place(mark.time, at: top)
        axis.place(mark.time, at: y)
    }

    mutating func addLine(_ role: DiagramText.Role, _ words: String) {
        let frame = layout.frame
        let text = DiagramText(role, words, x: frame.textLeft, y: y, within: frame.textWidth)
        if let text { layout.texts.append(text) }
        y += Self.line + 2
    }

    mutating func addGap(_ from: Double, _ to: Double) {
        axis.place(from, at: y)
        y += 10
        layout.zigzags.append(y)
        y += 6
        addLine(.gap, TimeWords.gap(from: from, to: to))
        y += 3
        layout.zigzags.append(y)
        y += 10
        axis.place(to, at: y)
    }

    mutating func showTime(_ time: Double) {
        let words = TimeWords.compact(time.rounded(.down))
        guard words != timeShown else { return }
        timeShown = words
        let text = DiagramText(.time, words, x: DiagramFrame.tokens - 4, y: y + 1, within: 37, isAtEnd: true)
        if let text { layout.texts.append(text) }
    }
}
