import type {Fault} from './fault.ts'

/** What is kept: through kills, full disks, locks, new keys, backups and moves. */
export const IN_THE_STORE: readonly Fault[] = [
  {
    name: 'a change is said to be committed before it is',
    file: 'src/store/database/writer.ts',
    find: '        return runAll(group, opened, groupMs)\n',
    replace:
      '        const done = await runAll(group, opened, groupMs)\n        for (const one of done) one()\n        await new Promise((resolve) => setTimeout(resolve, 5))\n        return done\n',
    bench: 'store-kills',
    line: 'lost or damaged',
    args: '--kills 30',
  },
  {
    name: 'what a kill cut off in a first start is not taken back',
    file: 'src/store/sqlite/one-bot/bot-lock.ts',
    find: '    takeBack(path)\n',
    replace: '',
    bench: 'store-faults',
    line: 'lost, damaged or stuck',
    args: '--points 6',
  },
  {
    name: 'nobody is told that the disk is full',
    file: 'src/store/database/errors.ts',
    find: "  ['SQLITE_FULL', 'full'],\n",
    replace: "  ['SQLITE_FULL', 'failing'],\n",
    bench: 'store-full',
    line: 'times that health said the disk is full',
  },
  {
    name: 'the event loop waits for a lock',
    file: 'src/store/sqlite/database-file.ts',
    find: "  const sqlite = new Database(path, {timeout: 0})\n  try {\n    sqlite.pragma('journal_mode = wal')",
    replace:
      "  const sqlite = new Database(path, {timeout: 1000})\n  try {\n    sqlite.pragma('journal_mode = wal')",
    bench: 'store-speed',
    line: 'event loop under it, p99',
    args: '--relays 100 --seconds 1 --lock-seconds 5 --log-megabytes 30',
  },
  {
    name: 'a log that has grown is left as it is',
    file: 'src/store/sqlite/upkeep/checkpoints.ts',
    find: '    emptying = untilShort()\n',
    replace: '    emptying = Promise.resolve()\n',
    bench: 'store-speed',
    line: 'left of a log behind a long read',
    args: '--relays 100 --seconds 1 --lock-seconds 1 --log-megabytes 50',
  },
  {
    name: 'a rotation passes over what has changed meanwhile',
    file: 'src/store/database/sealed-values.ts',
    find: '    if (stale.length === 0) break\n',
    // So many that the bench, which writes at random meanwhile, does not seal all of them by luck.
    replace: '    if (resealed > 0 || stale.length === 0) break\n    stale.splice(1, 200)\n',
    bench: 'rotation',
    line: 'values that bear the old key',
  },
  {
    name: 'a rotation writes what it has read, whatever stands there by then',
    file: 'src/store/database/sealed-values.ts',
    find: ' and ${sql.ref(column)} = ${sealed}`.execute(db)',
    replace: '`.execute(db)',
    bench: 'rotation',
    line: 'values that are wrong in the end',
  },
  {
    name: 'a backup is the file without its log',
    file: 'src/store/sqlite/upkeep/backup.ts',
    find: "    sqlite.prepare('vacuum into ?').run(target)\n",
    replace: "    process.getBuiltinModule('node:fs').copyFileSync(path, target)\n",
    bench: 'backups',
    line: 'backups that restore and open their seals',
  },
  {
    name: 'who has lost its claim writes on',
    file: 'src/store/database/fence.ts',
    find: 'epochs.get(name) !== epoch))',
    replace: 'epochs.get(name) === epoch - 1e9))',
    bench: 'simulation',
    line: 'seeds that went wrong',
    args: '--seeds 1 --instances 2 --workers 1 --minutes 3',
  },
  {
    name: 'a move leaves the last row of a page behind',
    file: 'src/store/moving/copy.ts',
    find: '    const rows = page.map(fit)\n',
    replace: '    const rows = page.map(fit).slice(0, Math.max(1, page.length - 1))\n',
    bench: 'migrate-store',
    line: 'counts and hashes there, equal',
    args: '--rows 2000 --kills 0',
  },
]
