import { collectGarbage } from '../../../machine/process/collect-garbage.ts'
import { segmentBuilder } from './build-segments.ts'
import type { ToBuilder } from './messages.ts'
import type { FileReader } from './read-file-text.ts'
import { readSegment, writeSegment } from './segment-file.ts'

/** Thread that reads files, and builds, stores and loads segments. */
export function segmentThread(reader: FileReader): (message: ToBuilder) => unknown {
  const builder = segmentBuilder(reader)
  return message => {
    switch (message.type) {
      case 'pack':
        return builder.pack(message.segmentId, message.intakes, message.textBytes, message.holdsText)
      case 'put':
        return builder.put(message.segmentId, message.intakes, message.openBytes)
      case 'seal':
        return builder.seal(message.segment, message.textBytes)
      case 'save':
        return writeSegment(message.file, message)
      case 'load':
        return readSegment(message.file, message.segmentId, message.holdsText)
      case 'rest':
        builder.rest()
        return collectGarbage()
    }
  }
}
