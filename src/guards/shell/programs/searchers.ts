import { literalOf } from '../script.ts'
import { programs, type Program } from './program.ts'

const GREP: Program = {
  does: 'read',
  operands: 'text-then-files',
  free: true,
  flags: 'EFGPiyvwxcLloqsbHhnTZaIrRUz',
  options: `-e= -m= -A= -B= -C= -d= -D= -f@ --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case
  --invert-match --word-regexp --line-regexp --count --color? --colour? --files-without-match --files-with-matches --max-count=
  --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label= --line-number --initial-tab
  --null --after-context= --before-context= --context= --text --binary-files= --devices= --directories= --exclude= --exclude-dir=
  --exclude-from@ --include= --recursive --dereference-recursive --line-buffered --binary --null-data --regexp= --file@
  --group-separator= --no-group-separator`,
  shapes: /^-\d+$/,
  textBy: '-e -f --regexp --file',
}

const FD: Program = {
  does: 'read',
  operands: 'text-then-files',
  flags: 'HIusigFapL0q1',
  options: `-e= -t= -d= -E= -c= -S= -o= -j= --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive
  --ignore-case --glob --regex --fixed-strings --absolute-path --full-path --follow --print0 --max-depth= --min-depth= --exact-depth=
  --exclude= --type= --extension= --size= --changed-within= --changed-before= --owner= --color= --threads= --max-results= --quiet
  --show-errors --strip-cwd-prefix? --one-file-system --prune`,
  risky: '-x! -X! --exec! --exec-batch! --base-directory@ --search-path@ --ignore-file@ --list-details -l',
}

/** Programs that look for text in files, or for files. */
export const SEARCHERS = programs({
  'grep egrep fgrep': GREP,
  rg: {
    does: 'read',
    operands: 'text-then-files',
    textBy: '-e -f --regexp --file --files --type-list',
    flags: 'aFhHiILlNnoPpqsSUuVvwx0bc.',
    options: `-A= -B= -C= -E= -e= -g= -j= -M= -m= -r= -t= -T= -d= -f@ --after-context= --before-context= --context= --auto-hybrid-regex
    --binary --block-buffered --byte-offset --case-sensitive --color= --colors= --column --context-separator= --count --count-matches
    --crlf --debug --dfa-size-limit= --encoding= --engine= --field-context-separator= --field-match-separator= --file@ --files
    --files-with-matches --files-without-match --fixed-strings --follow --glob= --glob-case-insensitive --heading --hidden --iglob=
    --ignore-case --ignore-file@ --ignore-file-case-insensitive --include-zero --invert-match --json --line-buffered --line-number
    --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --mmap --multiline
    --multiline-dotall --no-column --no-config --no-filename --no-heading --no-hidden --no-ignore --no-ignore-dot --no-ignore-exclude
    --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages
    --no-mmap --no-require-git --null --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2 --pretty
    --quiet --regex-size-limit= --regexp= --replace= --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text --threads= --trim
    --type= --type-not= --type-list --unrestricted --vimgrep --with-filename --word-regexp`,
    risky: '-z --search-zip --pre! --hostname-bin! --generate= --type-add= --hyperlink-format= --pre-glob=',
  },
  'fd fdfind': FD,
  // Only tests and printing. Start points are files, and brackets are separate words.
  find: {
    does: 'read',
    operands: 'files',
    style: 'words',
    endless: true,
    options: `-empty -print -print0 -prune -not -o -a -or -and -true -false -depth -d -follow -nouser -nogroup -readable -writable
    -executable -mount -xdev -daystart -ls -quit -H -L -P -warn -nowarn -noleaf -ignore_readdir_race -noignore_readdir_race -E -x -X -s
    -O0 -O1 -O2 -O3
    -name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -type= -xtype= -size= -mtime= -mmin= -atime= -amin=
    -ctime= -cmin= -maxdepth= -mindepth= -perm= -user= -group= -uid= -gid= -links= -inum= -regextype= -printf= -lname= -ilname= -used=
    -fstype= -newermt= -newerct= -newerat= -newer@ -anewer@ -cnewer@ -samefile@`,
    risky: '-delete -fls> -fprint> -fprint0> -fprintf>= -exec -execdir -ok -okdir -files0-from@ -D=',
    judge: ({ options }) =>
      options.flatMap(({ at, name, values }) =>
        values.every(({ word }) => literalOf(word) !== undefined)
          ? []
          : [{ at, what: `the value of ${name} is not known` }],
      ),
  },
})
