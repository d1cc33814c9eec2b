import HTTPCodec
import TestSupport
import Testing

struct InputBufferTests {
    @Test func `Bytes come out as they went in, whatever is consumed in between`() {
        var chance = SeededGenerator(seed: 7)
        var buffer = InputBuffer()
        var model: [UInt8] = []
        for _ in 0..<5_000 {
            switch Int.random(in: 0..<4, using: &chance) {
            case 0:
                let bytes = (0..<Int.random(in: 0...50, using: &chance)).map { _ in
                    UInt8.random(in: 0...255, using: &chance)
                }
                buffer.append(bytes)
                model += bytes
            case 1:
                let count = Int.random(in: 0...60, using: &chance)
                buffer.consume(count)
                model.removeFirst(min(count, model.count))
            case 2:
                buffer.fill(atMost: 16) { room in
                    #expect(room.count == 16)
                    room[0] = 1
                    room[1] = 2
                    return 2
                }
                model += [1, 2]
            default:
                buffer.releaseIfEmpty()
            }
            #expect(buffer.count == model.count)
        }
        #expect(buffer.bytes == model)
    }

    @Test func `A read that fails adds nothing`() {
        struct Failure: Error {}
        var buffer = InputBuffer([1])
        #expect(throws: Failure.self) {
            try buffer.fill(atMost: 4) { _ throws(Failure) -> Int in throw Failure() }
        }
        buffer.fill(atMost: 4) { _ in -1 }
        #expect(buffer.bytes == [1])
        buffer.consume(5)
        buffer.consume(-1)
        #expect(buffer.isEmpty)
    }
}
