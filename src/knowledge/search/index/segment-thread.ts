import { collectGarbage } from '../../../machine/process/collect-garbage.ts'
import { segmentBuilder } from './build-segments.ts'
import type { ToBuilder } from './messages.ts'
import type { FileReader } from './read-file-text.ts'
import { readSegment, writeSegment } from './segment-file.ts'

/**
 * Less text than this touches a few pages of the tables, which are used again: collecting the garbage would take half
 * of the time in which the process of a small workspace starts.
 */
const LITTLE_TEXT_BYTES = 16_384

/** Thread that reads files, and builds, stores and loads segments. */
export function segmentThread(reader: FileReader): (message: ToBuilder) => unknown {
  const builder = segmentBuilder(reader)
  let bytesSinceRest = 0
  return message => {
    switch (message.type) {
      case 'pack': {
        const packResult = builder.pack(message.segmentId, message.intakes, message)
        bytesSinceRest += packResult.textBytes
        return packResult
      }
      case 'put':
        return builder.put(message.segmentId, message.intakes, message.openBytes)
      case 'seal':
        bytesSinceRest += message.textBytes
        return builder.seal(message.segment, message.textBytes)
      case 'save':
        return writeSegment(message.file, message)
      case 'load': {
        const read = readSegment(message.file, message.segmentId)
        bytesSinceRest += read?.textBytes ?? 0
        return read
      }
      case 'rest':
        if (bytesSinceRest < LITTLE_TEXT_BYTES) return undefined
        bytesSinceRest = 0
        builder.rest()
        return collectGarbage()
    }
  }
}
