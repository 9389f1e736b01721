/** Words of fields that hold a path of this machine, and of the picker for shells that have none. */
export const pathFieldText = {
  browse: 'Browse…',
  folder: 'Choose a folder',
  file: 'Choose a file',
  either: 'Choose a file or folder',
  nativeFile: 'File…',
  nativeFolder: 'Folder…',
  at: 'Folder shown',
  go: 'Go',
  up: 'One folder up',
  contents: 'Contents of the folder',
  loading: 'Reading the folder…',
  empty: 'There is nothing to choose here.',
  hidden: 'Show hidden ones',
  take: 'Choose this folder',
  name: 'Name',
  size: 'Size',
};
