import { ToolError } from '../../src/kernel/error.ts'
import { apply, check } from '../../src/machine/workspace/commit/apply.ts'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import type { CommitStore, HeldRoot, Place } from '../../src/machine/workspace/commit/commit-store.ts'
import { encodeEntryName } from '../../src/machine/workspace/commit/entry-name.ts'
import { readWhole } from '../../src/machine/workspace/commit/file-bytes.ts'
import { abandon, decide, discard, removeEntry, seal, tidy } from '../../src/machine/workspace/commit/finish.ts'
import { decodeIntent, type Step } from '../../src/machine/workspace/commit/intent.ts'
import type { Operation } from '../../src/machine/workspace/operation.ts'
import { prepare } from '../../src/machine/workspace/commit/prepare.ts'
import { recover } from '../../src/machine/workspace/commit/recover.ts'
import { rollBack } from '../../src/machine/workspace/commit/roll-back.ts'
import { openSite, type Site } from '../../src/machine/workspace/commit/site.ts'
import type { Sys } from '../../src/machine/workspace/sys.ts'
import type { Protocol } from './crash-rig.ts'

type Steps = readonly Step[]

/** The steps of a commit, each of which a bug may replace. */
interface Parts {
  readonly run: (site: Site, place: Place, steps: Steps, decided: () => void) => void
  readonly back: (site: Site, place: Place, name: string, steps: Steps) => void
}

const sound: Parts = {
  run(site, _place, steps, decided) {
    decided()
    apply(site, steps)
    site.sync()
    check(site, steps)
  },
  back(site, place, name, steps) {
    abandon(site)
    const kept = rollBack(site, steps)
    site.sync()
    discard(site, place, name, new Set(kept.values()))
  },
}

/** A commit put together from the real steps, without the bookkeeping. */
const assembled =
  ({ run, back }: Parts): typeof commit =>
  (root: HeldRoot, store: CommitStore, operations, { id, sys = root.sys, now = 0 }) => {
    const place = store.active()
    const name = encodeEntryName({ sequence: 0, at: now, bytes: 0, id })
    sys.mkdir(place.pending, name, 0o700)
    const site = openSite(sys, root.fd, place.pending, name)
    try {
      const steps = prepareOrNothing(site, place, name, operations)
      try {
        run(site, place, steps, () => decide(site, place, { id, at: now, steps }, store.key, () => {}))
        seal(site)
      } catch (error) {
        back(site, place, name, steps)
        throw error
      }
      tidy(site, place, name, steps)
      return { id, changed: [], identities: new Map(), bytes: 0, warnings: [] }
    } finally {
      site.close()
    }
  }

function prepareOrNothing(site: Site, place: Place, name: string, operations: readonly Operation[]): Steps {
  try {
    return prepare(site, operations).steps
  } catch (error) {
    discard(site, place, name)
    throw error
  }
}

const withSys =
  (plant: (sys: Sys) => Sys): typeof commit =>
  (root, store, operations, options) =>
    commit(root, store, operations, { ...options, sys: plant(options.sys ?? root.sys) })

/** Protocols that are wrong in one way each. */
export const planted = {
  /** None: the assembled commit itself passes every rig. */
  sound: { commit: assembled(sound), recover },

  appliesBeforeIntent: {
    recover,
    commit: assembled({
      ...sound,
      run(site, _place, steps, decided) {
        apply(site, steps)
        decided()
        site.sync()
        check(site, steps)
      },
    }),
  },

  goesBackWithoutSayingSo: {
    recover,
    commit: assembled({
      ...sound,
      back(site, place, name, steps) {
        const kept = rollBack(site, steps)
        abandon(site)
        discard(site, place, name, new Set(kept.values()))
      },
    }),
  },

  hasNoLastLook: {
    recover,
    commit: assembled({
      ...sound,
      run(site, _place, steps, decided) {
        decided()
        apply(site, steps)
        site.sync()
      },
    }),
  },

  renamesOverTheTarget: {
    recover,
    commit: withSys(sys => ({
      ...sys,
      link: (fromDir, from, toDir, to) =>
        String(from).startsWith('n') ? sys.rename(fromDir, from, toDir, to) : sys.link(fromDir, from, toDir, to),
    })),
  },

  doesNotLookAtWhatItMovedAway: {
    recover,
    commit: withSys(sys => {
      const expected = new Map<string, ReturnType<Sys['lstat']>>()
      return {
        ...sys,
        lstat: (dir, name) => {
          const found = sys.lstat(dir, name)
          const own = /^x\d+$/.test(String(name))
          if (!own && found !== undefined && !expected.has(String(name))) expected.set(String(name), found)
          return own && found !== undefined ? (expected.get(`moved ${String(name)}`) ?? found) : found
        },
        rename: (fromDir, from, toDir, to) => {
          if (/^x\d+$/.test(String(to))) expected.set(`moved ${String(to)}`, expected.get(String(from)))
          sys.rename(fromDir, from, toDir, to)
        },
      }
    }),
  },

  recoversForwardOverAConflict: { commit, recover: recoverForward },

  forgetsAnInterruptedCommit: {
    commit,
    recover: (root: HeldRoot, store: CommitStore, sys: Sys = root.sys) => {
      for (const place of store.places())
        for (const name of sys.list(place.pending)) removeEntry(sys, place.pending, name)
      return []
    },
  },
} satisfies Record<string, Protocol>

/** Goes on where it should go back: what is in the way is overlooked, and the commit declared done. */
function recoverForward(root: HeldRoot, store: CommitStore, sys: Sys = root.sys): ReturnType<typeof recover> {
  for (const place of store.places())
    for (const name of sys.list(place.pending).map(String)) {
      const site = openSite(sys, root.fd, place.pending, name)
      try {
        if (sys.lstat(site.own, 'intent') === undefined) continue
        const intent = decodeIntent(readWhole(sys, site.own, 'intent'), store.key)
        if (intent === undefined) continue
        try {
          apply(site, intent.steps)
        } catch (error) {
          if (!(error instanceof ToolError && error.code === 'conflict')) throw error
        }
        seal(site)
        tidy(site, place, name, intent.steps)
      } finally {
        site.close()
      }
    }
  return recover(root, store, sys)
}
