import { literalOf, type Word } from '../script.ts'
import { programs } from './program.ts'
import { has, literalWord } from './read-arguments.ts'

const remote = (text: string): string | undefined =>
  text.includes(':') ? `'${text}' is on another machine` : undefined

/** Archive programs. A rule covers listing, but not packing, unpacking or options that run a program. */
export const ARCHIVES = programs({
  tar: {
    does: 'read',
    operands: 'texts',
    rewrite: withDash,
    flags: 'tvzjJ',
    options: `-f@ --list --verbose --gzip --gunzip --bzip2 --xz --zstd --file@ --wildcards --no-wildcards --exclude= --full-time --utc
    --totals --numeric-owner`,
    risky: `-x -c -r -u -A -d -C@ -T@ -X@ -I! -F! -K= -N= -b= -g@ -L= -H= -V= --extract --get --create --append --update --concatenate
    --delete --diff --compare --directory@ --files-from@ --exclude-from@ --use-compress-program! --to-command! --checkpoint?
    --checkpoint-action! --info-script! --new-volume-script! --rsh-command! --rmt-command! --index-file> --transform= --xform=
    --one-top-level? --listed-incremental@ --volno-file@ --remove-files --overwrite --unlink-first`,
    check: remote,
    checks: { '-f': remote, '--file': remote },
    judge: reading => (has(reading, '-t', '--list') ? [] : [{ at: 1, what: 'it packs or unpacks files' }]),
  },
  // Words after the archive are names inside it, even if they look like options.
  unzip: {
    does: 'read',
    operands: 'files',
    optionsFirst: true,
    flags: 'lptvqCLZ12',
    judge: reading => (has(reading, '-l', '-p', '-t', '-v', '-Z') ? [] : [{ at: 1, what: 'it unpacks files' }]),
  },
  zipinfo: { does: 'read', operands: 'files', optionsFirst: true, flags: '12slmvhtTzC' },
  zip: {
    does: 'write',
    operands: 'files',
    flags: 'rqvjXyue0123456789',
    options: '-x= -i= --recurse-paths --quiet --verbose --junk-paths --update --exclude= --include=',
    risky: '-T -m -TT! --test --unzip-command! -lf> -la -sf -@ --names-stdin -O> -b@ --temp-path@',
  },
  // `l` lists and `t` tests; every other letter writes.
  '7z 7za 7zr': {
    does: 'read',
    operands: 'files',
    style: 'words',
    options: '-slt -ba -bd -bt -r -r0 -y',
    judge: ({ operands: [verb] }) =>
      verb && /^[lti]$/.test(literalOf(verb.word) ?? '') ? [] : [{ at: 1, what: 'it packs or unpacks files' }],
  },
})

/** `tar tzf` is `tar -tzf`. In the old spelling, values follow in the order of their letters. */
function withDash(words: readonly Word[]): readonly Word[] {
  const text = words[1] && literalOf(words[1])
  if (text === undefined || !/^[A-Za-z]+$/.test(text)) return words
  const letters = `-${text.replaceAll('f', '')}${text.includes('f') ? 'f' : ''}`
  return words.map((word, at) => (at === 1 ? literalWord(letters) : word))
}
