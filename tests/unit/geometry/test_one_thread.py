"""One thread of linear algebra: inside, afterwards, and where several ask for it at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reenact.geometry.one_thread import libraries, one_thread


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    """As in a process that was started without saying."""
    found = libraries()
    assert found, "NumPy's library is not found"
    before = [library.num_threads for library in found]
    for library in found:
        library.set_num_threads(2)
    if threads() != {2}:
        pytest.skip("this build of linear algebra has one thread only")
    yield
    for library, number in zip(found, before, strict=True):
        library.set_num_threads(number)


def threads() -> set[int]:
    return {library.num_threads for library in libraries()}


def test_one_inside_and_as_many_as_before_afterwards() -> None:
    with one_thread():
        assert threads() == {1}
        with one_thread(libraries()):
            assert threads() == {1}
        assert threads() == {1}, "the outer context still holds"
    assert threads() == {2}


def test_an_error_leaves_nothing_behind() -> None:
    with pytest.raises(ZeroDivisionError), one_thread():
        raise ZeroDivisionError
    assert threads() == {2}


def test_the_last_to_leave_sets_back() -> None:
    """As searches on several threads of a program may begin and end in any order."""
    first, second = one_thread(), one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert threads() == {1}, "the second is still at work"
    second.__exit__(None, None, None)
    assert threads() == {2}
