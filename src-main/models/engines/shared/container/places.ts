/** Where things lie inside the container of a server. */
export const CONTAINER_MODEL = '/model';
export const CONTAINER_CACHE = '/cache';
export const CONTAINER_TEMPLATE = '/template.jinja';
export const CONTAINER_SOCKET_FOLDER = '/run/vivarium';
export const CONTAINER_SOCKET = `${CONTAINER_SOCKET_FOLDER}/server.sock`;

/** Stands in the words for `docker run` where the relay puts its folder for the socket. */
export const SOCKET_FOLDER_MARK = '@SOCKET_FOLDER@';
