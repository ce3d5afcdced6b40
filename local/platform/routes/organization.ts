import {projectNotFound} from '../errors.ts'
import type {Organization} from '../organization.ts'
import {param, type AddRoute} from './request.ts'

/** Projects and users. Section 4.5. */
export function addOrganizationRoutes(add: AddRoute, organization: Organization): void {
  add('GET', '/projects', (request) => request.json({items: organization.projects()}))

  add('GET', '/projects/:projectId', (request) => {
    const projectId = param(request, 'projectId')
    const project = organization.project(projectId)
    if (project === undefined) throw projectNotFound(projectId)
    return request.json({...project})
  })

  add('GET', '/users', (request) => request.json({items: organization.users()}))
}
