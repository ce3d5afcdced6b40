import {z} from 'zod'

/** What one instance lets the others know: something may be due, or other than they remember. Lost at worst. */
export type Notice = z.infer<typeof noticeSchema>

const at = {team: z.string(), channel: z.string()}

export const noticeSchema = z.discriminatedUnion('about', [
  z.object({about: z.enum(['inbox', 'announcements', 'confessions']), team: z.string()}),
  z.object({about: z.literal('link'), team: z.string(), linkId: z.string()}),
  z.object({about: z.enum(['watches', 'hooks', 'pull-requests', 'installs', 'keys', 'settings'])}),
  z.object({about: z.literal('comeback'), ...at, codes: z.array(z.string())}),
  z.object({about: z.literal('secret'), sealed: z.string()}),
  z.object({about: z.literal('closed'), ...at}),
  z.object({about: z.literal('moved'), ...at, user: z.string()}),
])

/** Everybody also looks by themselves: each second while nobody can be heard, and now and then otherwise. */
export interface Notices extends AsyncDisposable {
  /** To all others that work with this database; never throws, never waits. */
  tell: (notice: Notice) => void
  /** Of others only: who tells something knows it. */
  onHeard(listener: (notice: Notice) => void): void
  /** Others can be heard from now on, and may have told anything before. */
  onMissed(listener: () => void): void
  /** Whether others can be heard now. */
  isListening(): boolean
}
