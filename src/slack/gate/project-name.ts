import type {Catalogue} from '../../agents/catalogue.ts'
import type {Effective} from '../../agents/channel-settings.ts'
import {soon} from './soon.ts'

type ProjectName = (
  values: Pick<Effective['values'], 'connectionId' | 'projectId' | 'projectName'>,
) => Promise<string | undefined>

const READ_WITHIN_MS = 1000

/** By its id alone nobody recognises a project. */
export function createProjectName(catalogue: Catalogue): ProjectName {
  return async ({connectionId, projectId, projectName}) => {
    if (projectId === undefined || projectName !== undefined) return projectName
    const read = catalogue.projects({connectionId}, AbortSignal.timeout(READ_WITHIN_MS))
    return (await soon(read, [])).find(({id}) => id === projectId)?.name ?? projectId
  }
}
