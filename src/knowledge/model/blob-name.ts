import { createHash } from 'node:crypto'

/** Git's name for a content, so that what is known of a file holds for every commit that has it. */
export const blobName = (content: Uint8Array): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
