"""Names of Python looked up by their last word: Sphinx compares each with all objects, a fifth of a build."""

from sphinx.domains.python import PythonDomain

__all__ = ["Names"]


class Names(PythonDomain):
    """Python's domain; a name whose last word no object has is nobody's, without a look at them all."""

    _last: frozenset[str] = frozenset()
    _objects = -1

    def _words(self):
        if self._objects != len(self.objects):
            self._objects = len(self.objects)
            self._last = frozenset(name.rpartition(".")[2] for name in self.objects)
        return self._last

    def find_obj(self, env, modname, classname, name, type, searchmode=0):
        """The objects of a name, as in Sphinx."""
        if name.removesuffix("()").rpartition(".")[2] not in self._words():
            return []
        return super().find_obj(env, modname, classname, name, type, searchmode)
