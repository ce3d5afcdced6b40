import {createFileSharing} from './files/sharing.ts'
import {createFileShape, createMessageFiles} from './files/shape.ts'
import {postSystemNotes} from './messages/system-notes.ts'
import type {SlackRecord} from './record.ts'
import {createChannels} from './workspace/channels.ts'
import {createUsergroups} from './workspace/usergroups.ts'
import {createRoster, type Team, type WorkspaceSeed} from './workspace/workspace.ts'

/** One workspace: who and what there is, whichever app looks at it. */
export function openTeam(
  {database, changes, conversation, files, origin, now}: SlackRecord,
  team: Team,
  seed: WorkspaceSeed,
) {
  const roster = createRoster(database, team, seed)
  postSystemNotes({roster, changes, conversation})
  const fileShape = createFileShape(roster, origin)
  return {
    roster,
    channels: createChannels({roster, changes, now}),
    usergroups: createUsergroups(database, team.id),
    fileShape,
    sharing: createFileSharing({files, conversation, changes}),
    filesOf: createMessageFiles(files, fileShape),
  }
}

export type TeamSide = ReturnType<typeof openTeam>
