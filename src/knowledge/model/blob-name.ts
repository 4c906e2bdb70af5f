import { createHash } from 'node:crypto'

/** Git's name for a content, so that cached facts of a file hold for every commit that contains it. */
export const blobName = (content: Uint8Array): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
