import { segmentKeeper } from './keep-segments.ts'
import type { ToKeeper } from './messages.ts'
import type { FileReader } from './read-file-text.ts'
import { readSegment, writeSegment } from './segment-file.ts'

/** Thread that reads files, and builds, stores and loads segments. */
export function keepThread(reader: FileReader): (message: ToKeeper) => unknown {
  const keeper = segmentKeeper(reader)
  return message => {
    switch (message.type) {
      case 'pack':
        return keeper.pack(message.segmentId, message.intakes, message.textBytes, message.holdsText)
      case 'put':
        return keeper.put(message.segmentId, message.intakes, message.openBytes)
      case 'seal':
        return keeper.seal(message.segment, message.textBytes)
      case 'save':
        return writeSegment(message.file, message)
      case 'load':
        return readSegment(message.file, message.segmentId, message.holdsText)
      case 'rest':
        return keeper.rest()
    }
  }
}
